/** Codes of whoever writes a project: `rubicon dev` and `rubicon reset`. */
import type { EngineReason } from './engine-reasons.ts'

export const DEV_REASONS: Readonly<Record<string, EngineReason>> = {
  STORE_NOT_DEV: {
    means: 'the store, or the folder of its keys, was not made by `rubicon dev`',
    why: 'every change of a file would be deployed there, and a key would delete it',
    fix: 'leave `--store` and `--state` out, or name a file and a folder that do not exist yet',
  },
  STORE_NOT_DISPOSABLE: {
    means:
      'the store has no mark of `rubicon dev`, `quickstart` or `up --demo`, or another tenant has a ledger in it or with its keys',
    why: 'a ledger is evidence: only a store that was made to be thrown away is deleted, and `rubicon up` without `--demo` ends that',
    fix: 'check `--store` and `--state`',
  },
  FOLDER_MISSING: {
    means: 'there is no folder of this name',
    why: 'a project is served from its folder',
    fix: 'name the folder of a project; `rubicon init FOLDER` makes one',
  },
  PROJECT_TOO_LARGE: {
    means: 'the folder has more files than are watched',
    why: 'it is most likely one above the project',
    fix: 'name the folder of the project',
  },
  DEV_PROCESS_LOST: {
    means: 'the process that serves the project has ended by itself',
    why: 'capabilities are code of the project: it may have ended its process',
    fix: 'look at what it printed; the next change of a file starts another',
  },
}
