/** Codes of doors to artifacts: why a server does not show them, or was not started with them. */
import type { EngineReason } from './engine-reasons.ts'

export const ARTIFACT_DOOR_REASONS: Readonly<Record<string, EngineReason>> = {
  ARTIFACTS_NOT_CONFIGURED: {
    means: 'the server does not hold what artifacts consist of',
    why: 'it was started without a folder of artifacts',
    fix: 'start it with `rubicon up --artifacts FOLDER`',
  },
  ARTIFACTS_FOLDER: {
    means: 'the folder of artifacts cannot be used',
    why: 'agents change the files in it, so it has to exist, and must not contain the keys or the ledger',
    fix: 'name the folder of the project, and a state directory elsewhere with `--state`',
  },
  DESK_TIMEOUT: {
    means: 'reading the text took longer than one request may',
    why: 'parsers are slow on some texts, and others wait',
    fix: 'ask about a smaller artifact, or split it',
  },
  DESK_BUSY: {
    means: 'too many texts wait to be read',
    why: 'they are parsed one after another, in a process of their own',
    fix: 'try again in a moment',
  },
  DESK_CLOSED: {
    means: 'texts are not read any more',
    why: 'the server stops',
    fix: 'try again when it has restarted',
  },
}
