/** Codes of artifacts: why files were not read, changed, written or set back. The command says them. */
import { ARTIFACT_PLAN_REASONS } from './artifact-plan-reasons.ts'
import type { EngineReason } from './engine-reasons.ts'

const FILES: Readonly<Record<string, EngineReason>> = {
  FILE_NAME_INVALID: {
    means: 'the name cannot be that of an artifact',
    why: 'a name leads to one file below the root on every system: no `..`, no control characters, composed letters, nothing of `.git` or `.rubicon`',
    fix: 'rename the file, or name another one',
  },
  FILE_NAME_COLLISION: {
    means: 'two names differ only in case or in composition',
    why: 'on some systems they are one file, and one would overwrite the other',
    fix: 'rename one of them',
  },
  FILE_MISSING: {
    means: 'there is no such file',
    why: 'names are relative to the root, with `/` between folders',
    fix: 'check the name and the root',
  },
  FILE_OUTSIDE: {
    means: 'the file does not lie below the root',
    why: 'artifacts are named by their place below the root, and nothing outside of it is written',
    fix: 'run the command in the folder of the project, or name it with `--root`',
  },
  FILE_LINK: {
    means: 'the file, or a folder above it, is a symbolic link',
    why: 'what a link leads to may be anything: nothing is read or written through it',
    fix: 'name the file itself, or replace the link by a file',
  },
  FILE_IRREGULAR: {
    means: 'it is a folder, a pipe or a device',
    why: 'an artifact is a regular file',
    fix: 'name a regular file',
  },
  FILE_CHANGED: {
    means: 'the file has changed on the disk since it was read',
    why: 'the change was planned on other bytes; the new content is not overwritten, and none of the files was written',
    fix: 'at the command, run it again: it plans on what the file holds now; in a runtime, have the file adopted again (`artifact.adopt`), then plan anew',
  },
  FILE_UNWRITABLE: {
    means: 'the file could not be written',
    why: 'the rights of the file or of its folder, or the disk, do not allow it; nothing was changed',
    fix: 'check the rights of the file and of its folder, and whether the disk is mounted read-only',
  },
  FILES_LOCKED: {
    means: 'another process is writing these files',
    why: 'several files are written together, so one process writes at a time; the lock of one that has ended is taken over',
    fix: 'wait until the other process has ended, then try again',
  },
  DISK_FULL: {
    means: 'the disk is full',
    why: 'all files are written beside their places before any of them is replaced, so nothing was changed',
    fix: 'free space on the disk, then try again',
  },
  JOURNAL_BROKEN: {
    means: 'a write was interrupted, and what is left of it cannot be read',
    why: 'nothing is written over it: it says which files were being replaced',
    fix: 'compare the files that `.rubicon/artifacts/journal.json` names with their copies beside them (`.rubicon-….old`), then remove the journal',
  },
}

const CHANGES: Readonly<Record<string, EngineReason>> = {
  FORMAT_UNKNOWN: {
    means: 'the format of the file is not supported',
    why: 'a change by structure needs a format that can be parsed',
    fix: 'name a file of a known format',
  },
  ARTIFACT_TOO_LARGE: {
    means: 'the file, or the change, is larger than allowed',
    why: 'the size is known before anything is read or parsed',
    fix: 'split the file, or keep it out of artifacts',
  },
  ARTIFACT_UNREADABLE: {
    means: 'the file cannot be read as what its name says',
    why: 'it is not UTF-8, or it does not parse; a change to it could not be checked',
    fix: 'correct the file at the place that is named',
  },
  DELTA_MALFORMED: {
    means: 'the change is not written as a delta',
    why: 'a member with an unknown name is refused, since it may be misspelt',
    fix: 'correct it at the place that is named',
  },
  PATH_INVALID: {
    means: 'the path of a symbol is not written as one',
    why: 'a symbol is named by segments `kind:name`, and `#2` where several have one name',
    fix: '`rubicon artifact symbols` lists all paths',
  },
  TARGET_MISSING: {
    means: 'the symbol is not there',
    why: 'it may have been renamed, moved or removed since',
    fix: '`rubicon artifact symbols` lists all paths of the file',
  },
  TARGET_AMBIGUOUS: {
    means: 'several symbols have that name',
    why: 'a change is about one of them, and Rubicon does not guess which',
    fix: 'add the number of the one that is meant, as `#2`',
  },
  TARGET_UNFIT: {
    means: 'this kind of change cannot be made to that symbol',
    why: 'it has no members, no body, or no such part',
    fix: 'choose another target, or another kind of delta',
  },
  FRAGMENT_INVALID: {
    means: 'the fragment does not parse in its place',
    why: 'what is written has to parse, before it is written',
    fix: 'correct the fragment: it has to be complete',
  },
  FRAGMENT_REACHES_OUT: {
    means: 'the fragment would change the text around it',
    why: 'it has unbalanced brackets or quotes; everything outside the change has to stay the same',
    fix: 'balance the brackets and quotes within the fragment',
  },
  NAME_TAKEN: {
    means: 'there is a symbol with that name already',
    why: 'one of the two could not be named any more',
    fix: 'choose another name, or replace what has it',
  },
  DANGLING_REFERENCE: {
    means: 'something that stays refers to what would go',
    why: 'the text would parse, and mean nothing at that place',
    fix: 'change or remove what refers to it, in the same list of deltas',
  },
  TARGET_READ_ONLY: {
    means: 'the file belongs to what is installed, or locks it',
    why: 'the package manager would overwrite it, and its hashes would no longer match',
    fix: 'change it with the tool that installs it',
  },
  SCHEMA_VIOLATION: {
    means: 'the value would not be what the schema of the file allows',
    why: 'values of a configuration are typed: what a program cannot read is not written',
    fix: 'write a value that the schema allows; the answer names the place',
  },
  SECRET_IN_FRAGMENT: {
    means: 'the change would write a secret into the file',
    why: 'a file is read by many, and its history is kept',
    fix: 'write the name of the secret in place of it',
  },
  CLAIMS_CONFLICT: {
    means: 'two authors change what only one of them may change',
    why: 'their changes do not mean the same in any order; that is found when they are planned, and not when they are merged',
    fix: 'let one follow the other, or divide the work by symbols',
  },
  DELTA_STALE: {
    means: 'a definition that the change refers to has changed',
    why: 'the change was planned before these definitions changed',
    fix: 'read the file again, and plan on what it holds now',
  },
}

const HISTORY: Readonly<Record<string, EngineReason>> = {
  ARTIFACT_EVENT_UNKNOWN: {
    means: 'there is no such event in the history of the folder',
    why: 'events are counted from 1, in the order in which they were recorded',
    fix: '`rubicon artifact undo --list` shows all events',
  },
  UNDO_BLOCKED: {
    means: 'a later change depends on the event',
    why: 'a later event, or an edit outside the history, changed the text of this event: undoing it would mix both, or leave a file that does not parse',
    fix: 'undo the later events first, the newest one first; or undo the edit in the file',
  },
  UNDO_DONE: {
    means: 'the event is undone, or undoes another one',
    why: 'an event is undone once; what undoes is not undone itself',
    fix: 'apply the delta again',
  },
  HISTORY_BROKEN: {
    means: 'the history of the folder cannot be read',
    why: 'a line of it is not an event, is out of order, or does not give the recorded text; nothing is undone with such a history',
    fix: 'restore `.rubicon/artifacts/events.ndjson` from a backup, or move it away to begin a new history',
  },
  BLOB_MISSING: {
    means: 'a former version of a file is not in the store',
    why: 'it was removed below `.rubicon/artifacts/objects`',
    fix: 'restore it from a backup',
  },
  BLOB_CORRUPT: {
    means: 'a former version of a file is not what was stored',
    why: 'its bytes have another hash than the one it is stored by: it was damaged or changed',
    fix: 'restore it from a backup',
  },
  BLOB_UNREADABLE: {
    means: 'a former version of a file cannot be read',
    why: 'the disk or its rights do not allow it, or it is no regular file',
    fix: 'check the rights below `.rubicon/artifacts/objects`',
  },
}

export const ARTIFACT_REASONS: Readonly<Record<string, EngineReason>> = {
  ...FILES,
  ...CHANGES,
  ...HISTORY,
  ...ARTIFACT_PLAN_REASONS,
}
