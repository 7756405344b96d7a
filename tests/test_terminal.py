"""One sentence and an exit code for whatever goes wrong; files complete or not at all."""

import os
import sys

import pytest

typer = pytest.importorskip("typer")

from noneuclid import _terminal  # noqa: E402
from noneuclid._memory import NotEnoughMemory  # noqa: E402
from noneuclid._progress import progress  # noqa: E402
from noneuclid._terminal import check_target, guarded, write  # noqa: E402
from noneuclid._writing import is_stream, write_atomically  # noqa: E402
from noneuclid.datasets import DataError  # noqa: E402


def failing(error):
    @guarded
    def command():
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (DataError("a.csv: line 3 is empty"), 2, "error: a.csv: line 3 is empty"),
        (FileNotFoundError(2, "No such file", "x.csv"), 2, "error: no such file (x.csv)"),
        (OSError("Disk on fire"), 2, "error: disk on fire"),
        (MemoryError(), 2, "error: the data do not fit into memory: give fewer objects"),
        (NotEnoughMemory("it needs 2 TiB: use less"), 2, "error: it needs 2 TiB: use less"),
        (KeyboardInterrupt(), 130, "Stopped; nothing was written"),
        (ZeroDivisionError("a / b"), 1, "error: this should not have happened: a / b (ZeroDivis"),
        (RuntimeError(), 1, "no message (RuntimeError; set NONEUCLID_DEBUG=1 to see where)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_are_one_sentence_and_a_code(error, code, sentence, capsys, monkeypatch):
    monkeypatch.delenv("NONEUCLID_DEBUG", raising=False)
    with pytest.raises(typer.Exit) as left:
        failing(error)()
    assert left.value.exit_code == code
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err


def test_long_messages_are_cut_and_brackets_mean_nothing(capsys, monkeypatch):
    monkeypatch.delenv("NONEUCLID_DEBUG", raising=False)
    with pytest.raises(typer.Exit):
        failing(RuntimeError("[bold] " + 100 * "word "))()
    said = capsys.readouterr().err
    assert "[bold] word" in said
    assert "word … (RuntimeError" in said
    assert len(said) < 400


def test_the_traceback_can_be_had(monkeypatch):
    monkeypatch.setenv("NONEUCLID_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        failing(ZeroDivisionError())()


def test_answers_and_exits_pass_through():
    assert guarded(lambda x: x + 1)(2) == 3
    for leaving in (typer.Exit(5), typer.Abort()):
        with pytest.raises(type(leaving)) as left:
            failing(leaving)()
        assert left.value is leaving


def test_an_interrupt_tells_what_was_written(tmp_path, capsys):
    @guarded
    def command():
        write(tmp_path / "page.html", "text")
        write(tmp_path / "model.skops", b"bytes")
        raise KeyboardInterrupt

    with pytest.raises(typer.Exit):
        command()
    assert "Stopped; only page.html and model.skops was written" in capsys.readouterr().err
    assert (tmp_path / "page.html").read_text() == "text"
    with pytest.raises(typer.Exit):  # the next command has written nothing yet
        failing(KeyboardInterrupt())()
    assert "nothing was written" in capsys.readouterr().err


def test_targets_are_checked_before_the_work(tmp_path, monkeypatch):
    check_target(tmp_path / "new.html")
    with pytest.raises(DataError, match="is a folder: give the name of a file"):
        check_target(tmp_path)
    with pytest.raises(DataError, match=r"there is no folder .*missing.* to write page\.html to"):
        check_target(tmp_path / "missing" / "page.html")
    monkeypatch.setattr(_terminal.os, "access", lambda path, mode: False)
    with pytest.raises(DataError, match="cannot be written to: choose another with -o"):
        check_target(tmp_path / "new.html")


def test_a_link_is_checked_where_it_leads(tmp_path):
    link = tmp_path / "link.html"
    link.symlink_to(tmp_path / "missing" / "page.html")
    with pytest.raises(DataError, match=r"there is no folder .*missing"):
        check_target(link)


# --- files ----------------------------------------------------------------------------------


def test_files_are_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    write_atomically(path, "first")
    write_atomically(path, b"second")
    assert path.read_bytes() == b"second"

    def broken(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "third")
    assert path.read_bytes() == b"second"
    assert os.listdir(tmp_path) == ["a.txt"]  # no rest of the attempt


def test_links_stay_links_and_modes_are_usual(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    mask = os.umask(0o027)
    try:
        write_atomically(link, "text")
    finally:
        os.umask(mask)
    assert link.is_symlink()
    assert target.read_text() == "text"
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_pipes_are_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert is_stream(pipe)
    assert not is_stream(tmp_path)
    assert not is_stream(tmp_path / "missing")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert is_stream(pipe)
    check_target(pipe)


# --- bars -----------------------------------------------------------------------------------


def test_the_bar_counts_to_its_end(capsys):
    assert list(progress(range(4), 4, "epochs")) == [0, 1, 2, 3]
    said = capsys.readouterr()
    assert said.out == ""
    assert f"epochs [{30 * '#'}] 4/4" in said.err
    assert said.err.endswith("\n")


def test_no_bar_if_nobody_asked(capsys):
    assert list(progress(iter("ab"), 2, "letters", enabled=False)) == ["a", "b"]
    assert capsys.readouterr().err == ""


def test_the_bar_of_the_terminal_needs_a_terminal(capsys):
    with _terminal.progress(3) as advance:
        advance("reading")
        advance("fitting")
    assert capsys.readouterr().err == ""
    assert not sys.stderr.isatty()
