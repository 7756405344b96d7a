"""Send inputs to a child, replace it when it dies, and shorten what it could not bear."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzz_worker import BYTES_AT_MOST, SECONDS, case

_WORKER = Path(__file__).with_name("fuzz_worker.py")
# A busy machine may take long for what needs little of the processor.
_WALL = 12 * SECONDS


class Child:
    """A worker process; started when it is needed."""

    def __init__(self):
        self.process = None

    def run(self, form, number, keep=None):
        """What became of an input: an outcome that begins with a small letter is a good one."""
        if self.process is None:
            self.log = tempfile.TemporaryFile(mode="w+", errors="replace")  # noqa: SIM115
            self.process = subprocess.Popen(
                [sys.executable, str(_WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                text=True,
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            )
        self.process.stdin.write(json.dumps([form, number, keep]) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], _WALL)[0]:
            self.close()
            return f"HANG: no answer in {_WALL} s"
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait()
            self.log.seek(0)
            said = self.log.read()[-300:]
            self.close()
            if code == -signal.SIGPROF:
                return f"HANG: {SECONDS} s of the processor"
            return f"SIGNAL: exit {code} {said}"
        answer = json.loads(line)
        if answer["peak"] > BYTES_AT_MOST:
            self.close()
            return f"PEAK of {answer['peak'] / 2**20:.0f} MiB; {answer['outcome']}"
        if answer["seconds"] > SECONDS:
            return f"HANG: {answer['seconds']:.0f} s; {answer['outcome']}"
        return answer["outcome"]

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None
            self.log.close()


def shrunk(child, form, number):
    """The fewest mutations that still go wrong."""
    steps = [int(step.split("[")[1][:-1]) for step in case(form, number).recipe[1:-1]]
    for step in list(steps):
        fewer = [s for s in steps if s != step]
        if fewer and child.run(form, number, fewer)[0].isupper():
            steps = fewer
    return case(form, number, steps)


def campaign(inputs):
    """Run all; returns how many there were and a line for each that went wrong."""
    child, wrong, tried = Child(), [], 0
    try:
        for form, number in inputs:
            outcome = child.run(form, number)
            tried += 1
            if outcome[0].isupper():
                wrong.append(f"{shrunk(child, form, number)}\n    {outcome}")
    finally:
        child.close()
    return tried, wrong
