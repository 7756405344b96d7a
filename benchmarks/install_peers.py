"""The environments of other libraries that the benchmarks measure (``make benchmark-peers``).

    python benchmarks/install_peers.py [NAME ...]

One per list in ``benchmarks/peers``, made anew only when its list changed. What cannot be installed
leaves a line with the reason, which the records repeat; the others are made all the same.
"""

import shutil
import subprocess
import sys
import venv

from _peers import FOLDER, LISTS, environments


def install(name: str) -> str:
    """Make one environment; why it could not be made, in one line."""
    folder, wanted = FOLDER / name, (LISTS / f"{name}.txt").read_text(encoding="utf-8")
    done = folder / "installed.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return ""
    print(f"{name}: {' '.join(environments()[name])} ...", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--upgrade", "pip"], capture_output=True)
    tried = subprocess.run([*pip, "-r", str(LISTS / f"{name}.txt")], capture_output=True, text=True)
    if tried.returncode == 0:
        done.write_text(wanted, encoding="utf-8")
        return ""
    errors = [line for line in tried.stderr.splitlines() if line.lower().startswith("error")]
    why = (errors or tried.stderr.splitlines() or ["pip failed"])[-1]
    (folder / "failed.txt").write_text(why + "\n", encoding="utf-8")
    return why


def main() -> None:
    for name in sys.argv[1:] or environments():
        why = install(name)
        print(f"{name}: {why or FOLDER / name}", flush=True)


if __name__ == "__main__":
    main()
