"""What odd data are excused from, and why: {(setting, odd data): reason}.

``"*"`` stands for all settings of a class. Strict: one that is no longer needed is an error.
"""

EXCUSED: dict[tuple[str, str], str] = {}
