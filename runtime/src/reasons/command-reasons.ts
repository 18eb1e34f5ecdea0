/** Codes of the command and of stores: why a verb could not do its job. Scripts read them with `--json`. */
import { DEV_REASONS } from './dev-reasons.ts'
import type { EngineReason } from './engine-reasons.ts'

export const COMMAND_REASONS: Readonly<Record<string, EngineReason>> = {
  ...DEV_REASONS,
  OPENAPI_INVALID: {
    means: 'the document cannot be read as OpenAPI 3.0 or 3.1',
    why: 'nothing is drafted of a document that is not understood',
    fix: 'correct the document, or write the manifest by hand',
  },
  OPERATION_REFUSED: {
    means: 'a manifest cannot be drafted from one of the operations',
    why: 'a draft that leaves out what the document says would be another tool',
    fix: 'choose other operations, or write these manifests by hand',
  },
  GIT: {
    means: 'git could not be run, or refused',
    why: 'merging by symbols is set up in git, and asks its own merge for what symbols do not decide',
    fix: 'install git; after a merge that failed, choose a side: `git checkout --ours FILE` or `--theirs`',
  },
  MERGE_DRIVER_TAKEN: {
    means: 'git has a merge driver named `rubicon` that is not of this command',
    why: 'what somebody has set in git is not replaced',
    fix: 'remove it: `git config --unset merge.rubicon.driver`, with --global if it is there',
  },
  NO_REPOSITORY: {
    means: 'the folder is in no git repository',
    why: 'the lines of `.gitattributes` belong to one',
    fix: 'run it in a repository, or with --global',
  },
  FILE_EXISTS: {
    means: 'a file that would be written is there already',
    why: 'it may contain work of somebody else',
    fix: 'remove it, or choose another folder',
  },
  STORE_MISSING: {
    means: 'there is no store at this place',
    why: 'a command that only reads does not create a store; the first that writes does',
    fix: 'check `--store`; `rubicon contract deploy FILE` makes a new one',
  },
  STORE_EXISTS: {
    means: 'there is a store at this place already',
    why: 'a scenario begins with an empty store: its agents and their flows would stay in yours for ever',
    fix: 'name a file that does not exist yet, or leave `--store` out',
  },
  FOLDER_NOT_EMPTY: {
    means: 'the folder for a new project has something in it',
    why: 'a project is made in a folder of its own, so that no file of yours is replaced',
    fix: 'name a folder that does not exist yet: `rubicon init my-agent`',
  },
  PACKAGES_MISSING: {
    means: 'the folder of `--packages` does not have all tarballs of this version',
    why: 'the project would be made of other packages than those of this command',
    fix: 'run `npm run packages` in a clone of the repository, and name its `dist/packages`',
  },
  STORE_LOCKED: {
    means: 'another process writes to this store',
    why: 'a SQLite file has one writer, so that nothing is decided twice',
    fix: 'ask the running server: as its user on its machine, with the same `--store` and `--state`; else add `--server URL`; or stop it. Verbs that only read work beside it',
  },
  ARCHIVE_UNREADABLE: {
    means: 'the file is not an archive as it was written',
    why: 'a line has another form, is out of order or is cut off; nothing of it was used',
    fix: 'use the file that `rubicon archive create` wrote, or an unchanged copy of it',
  },
  ARCHIVE_FOREIGN: {
    means: 'no flow of the store is archived in this file',
    why: 'it was changed, it belongs to another store or tenant, or all of it was put back before',
    fix: '`rubicon archive list` names the archives of the store by their SHA-256',
  },
  ARCHIVE_HOLDS_ERASED: {
    means: 'the file contains text of a flow that was erased',
    why: 'the file could not be destroyed as long as payloads are archived in it, so the erased text would be kept',
    fix: 'restore what is archived in it, destroy it with all its copies, and archive into a file with another name',
  },
  EXPORT_CUT: {
    means: 'a ledger was cut off while it was exported',
    why: 'the server stopped, the connection broke, or the caller lost the permission; the checkpoint says how many entries there are',
    fix: 'export it again',
  },
  SOCKET_FAILED: {
    means: 'the server has no Unix socket for verbs on this machine',
    why: 'its folder is open to other users or belongs to one, its path is too long, or the system has no such sockets',
    fix: 'give `run` in the state directory to the user of the server alone (mode 0700) and start again; or use `--server URL`',
  },
  STORE_READ_ONLY: {
    means: 'nothing can be written to this store',
    why: 'it was opened for reading, or the file, the disk or the database is read-only',
    fix: 'check rights of the file and its folder; on Postgres, that the server is the primary',
  },
  ERASURE_UNFINISHED: {
    means:
      'it is erased and on record, but pieces of it may still stand in the file of the store or of the search index',
    why: 'another process reads a state from before, or the file could not be written',
    fix: 'remove what the answer names and ask again: `FLOW_ERASED` says that it is done. A start of the runtime finishes it, too',
  },
  STORE_FULL: {
    means: 'the disk under the store is full',
    why: 'what cannot be recorded is not done',
    fix: 'free space or move the store; nothing was half written',
  },
  STORE_CORRUPT: {
    means: 'the store is damaged, or no database',
    why: 'what cannot be read is not guessed at',
    fix: 'keep the file as evidence and restore a backup beside it; `rubicon verify` names every place',
  },
  STORE_NEWER: {
    means: 'the store was written by a newer version',
    why: 'an older one would misread it',
    fix: 'run the version that wrote it, or a newer one',
  },
  STORE_FORMAT: {
    means: 'the store has a format of an earlier release',
    why: 'formats before 0.3.0 are not read any more',
    fix: 'begin a new store; keep the old one and the version that verifies it',
  },
  STORE_ADDRESS: {
    means: 'the address of the store cannot be read',
    why: 'a store is `sqlite:PATH`, `postgres://user:password@host:port/database` or `memory`',
    fix: 'write one of these after `--store`',
  },
  STORE_CLOSED: {
    means: 'the store was closed while somebody still used it',
    why: 'the runtime was stopped meanwhile',
    fix: 'start it again and repeat what you did; look first whether it was done',
  },
  STORE_ERROR: {
    means: 'the store could not do its job',
    why: 'the cause stands beside it: a server that does not answer, a disk, a right',
    fix: 'see the cause; `rubicon doctor` looks at store and machine',
  },
  LEDGER_CORRUPT: {
    means: 'an entry does not fit its own hashes, or is missing',
    why: 'somebody or something changed what was recorded',
    fix: 'keep the file as evidence; `rubicon verify` names every place',
  },
  ROW_KEY_MISSING: {
    means: 'the key of the rows is not beside the store',
    why: 'rows that are not derived from entries carry an authentication code made with it; without it they cannot be checked',
    fix: 'put `keys/rows.key` of the state directory back, from the backup',
  },
  ROW_KEY_INVALID: {
    means: 'the file with the key of the rows is damaged',
    why: 'it does not have the length of such a key',
    fix: 'put `keys/rows.key` of the state directory back, from the backup',
  },
  ID_AMBIGUOUS: {
    means: 'several ids begin with what was typed',
    why: 'ids of the same minute begin alike',
    fix: 'type more of the one that is meant; the message names them',
  },
  REASON_UNKNOWN: {
    means: 'there is no such reason code',
    why: 'contracts may have codes of their own',
    fix: '`rubicon explain` lists the codes of verdicts',
  },
  USAGE: {
    means: 'the command line cannot be read as written',
    why: 'an argument or option is missing, unknown or has no such value',
    fix: '`rubicon VERB --help` shows what the verb takes',
  },
  VERB_UNKNOWN: {
    means: 'there is no such verb',
    why: 'verbs are those of `rubicon --help`',
    fix: '`rubicon --help`',
  },
  REPOSITORY_ONLY: {
    means: 'this verb works in a clone of the repository only',
    why: 'simulator and benchmarks are not part of the packages',
    fix: 'clone the repository and run it there',
  },
  FILE_UNREADABLE: {
    means: 'a file that was named cannot be read',
    why: 'it does not exist, or its rights do not allow it',
    fix: 'check the path and its rights',
  },
  KEY_MISSING: {
    means: 'a key that this needs is not held here',
    why: 'a key is in the state directory in which it was created',
    fix: 'check `--state`; `rubicon keys list` shows which are registered',
  },
  PORT_BUSY: {
    means: 'something else listens on this port',
    why: 'two servers cannot share one',
    fix: 'stop the other, or choose another with `--port`',
  },
  SERVER_UNREACHABLE: {
    means: 'no server answers at this address',
    why: 'it is not running, listens elsewhere, or a firewall or proxy is in between',
    fix: 'check the URL; `rubicon up` prints where it listens',
  },
  TRAJECTORY_UNKNOWN: {
    means: 'the ledger has no trajectory of this name',
    why: 'trajectories are `main`, `authority` and those that were branched',
    fix: '`rubicon ledger show` lists them',
  },
  ENTRY_UNKNOWN: {
    means: 'the ledger has no entry at this place',
    why: 'places are a trajectory and a number, as in `main/4`',
    fix: '`rubicon ledger show TRAJECTORY` lists entries',
  },
  CHECKPOINT_MISSING: {
    means: 'no checkpoint covers what should be proven',
    why: 'a proof leads from an entry to a signed checkpoint',
    fix: 'wait a minute beside a running server, or run the verb where the checkpoint key is',
  },
  RULES_NEEDED: {
    means: 'the verb needs the code of capabilities and policies',
    why: 'what they would say now is not in the ledger',
    fix: 'name the module: `--rules MODULE`',
  },
  RULES_MODULE: {
    means: 'the module of rules cannot be loaded, or does not export what it should',
    why: 'it has to export `capabilities` and `policies`',
    fix: 'correct the module; the message says what is wrong',
  },
  DECLINED: {
    means: 'the confirmation was declined',
    why: 'actions that cannot be undone need a confirmation',
    fix: 'nothing was done; run it again to be asked again',
  },
  NOT_CONFIRMED: {
    means: 'a confirmation is needed, and there is no terminal to ask on',
    why: 'without a terminal the command cannot ask, and `--yes` was not given',
    fix: 'add `--yes` if you are sure',
  },
  SCENARIO_UNKNOWN: {
    means: 'there is no scenario of this name',
    why: 'scenarios are those of `rubicon demo --list`',
    fix: '`rubicon demo --list`',
  },
  NOT_A_LEDGER: {
    means: 'the file is not a ledger, a bundle or a store',
    why: 'nothing in it can be verified',
    fix: 'check the path: `rubicon export` and `rubicon ledger export` write what can be verified',
  },
  ANSWER_UNREADABLE: {
    means: 'what answers at this address is not the runtime',
    why: 'a proxy, or another server, may have answered in its place',
    fix: 'check the address',
  },
  REQUEST_UNSENDABLE: {
    means: 'the request has something that cannot be sent',
    why: 'a token of two lines, or a password in an address, would be repeated in messages about it',
    fix: 'give the token alone, in one line, and the address without a password',
  },
  ANSWER_REDIRECTED: {
    means: 'what answers at this address sends requests to another one',
    why: 'the token, or the signature, that goes with a request is for the address that was given',
    fix: 'give the address of the runtime itself, with https where it is served so',
  },
  TRUST_UNREADABLE: {
    means: 'the value of `--trust` is neither a key nor a checkpoint',
    why: 'a verifier that trusted something else would prove nothing',
    fix: 'give a verifier key (`rubicon keys show ID`), a public key, a checkpoint, or a file with one of these',
  },
  CASE_INVALID: {
    means: 'the file is not a case for `policy test`',
    why: 'it lacks the format, its name, what is expected or the input',
    fix: 'save it again: *Policies* in the console writes cases',
  },
  VALUE_INVALID: {
    means: 'an option has a value that it cannot have',
    why: 'the message says which values it takes',
    fix: 'correct the value',
  },
  NOT_SHOWN: {
    means: 'the shell has not shown this request yet',
    why: 'you can approve only what you have seen',
    fix: 'type `show ID` first',
  },
  SHOWN_CHANGED: {
    means: 'the request has changed since the shell showed it',
    why: 'you can approve only what you have seen',
    fix: 'type `show ID`, and decide then',
  },
  POSTGRES_MISSING: {
    means: 'the scenario needs a Postgres server, and there is none',
    why: 'it is not set in RUBICON_POSTGRES, and this machine cannot start one',
    fix: 'install Postgres, or set RUBICON_POSTGRES to postgres://USER@HOST/DATABASE',
  },
}
