/** Codes of a runtime or a server that does not start: options, people, keys and rules that do not fit. */
import type { EngineReason } from './engine-reasons.ts'

export const START_REASONS: Readonly<Record<string, EngineReason>> = {
  TOPOLOGY_UNSERVED: {
    means: 'the rules ask the agent for a topology that its handshake does not name',
    why: 'everything that it proposes would be refused (TOPOLOGY_MISMATCH)',
    fix: 'let the agent serve it and name it in its handshake, or change `topologies` of the rules',
  },
  PROOF_MISSING: {
    means: 'nothing that the flow did carries a proof',
    why: 'an in-toto statement is made of proof-carrying intents that were accepted',
    fix: 'export the flow as a bundle (`rubicon export DFID`), or let the rules ask for proofs (`topologies`)',
  },
  OPTIONS_INVALID: {
    means: 'an option of the runtime cannot be used as it is',
    why: 'the runtime does not guess what was meant',
    fix: 'correct the option that the message names',
  },
  TOOLS_INVALID: {
    means: 'the tools file is not valid',
    why: 'it says what tools may reach, start and use; nothing of it is guessed',
    fix: 'correct what the message names',
  },
  TOOL_DENIED: {
    means: 'a tool would reach, start or use what the tools file does not allow',
    why: 'a manifest says what a tool does; the operator says in the tools file what it may do',
    fix: 'allow it in the tools file, or change the manifest',
  },
  TOOL_NAME_COLLISION: {
    means: 'two tools have the same kind',
    why: 'a contract that names a kind means one tool',
    fix: 'give one of them another kind, or load one of them',
  },
  PORT_INVALID: {
    means: 'the port is not valid',
    why: 'it must be a whole number from 0 to 65535; 0 takes any free port',
    fix: 'correct `--port`, `RUBICON_PORT` or `serve({ port })`',
  },
  HOST_INSECURE: {
    means: 'the address can be reached from other machines',
    why: 'tokens and decisions would travel in clear text',
    fix: 'put a proxy with TLS in front of 127.0.0.1, or add `--insecure-host`',
  },
  PUBLIC_URL: {
    means: 'the public address is not valid',
    why: 'people send tokens and decisions there',
    fix: 'use `https://HOST` without a path; `http` is for this machine only',
  },
  PROXIES_INVALID: {
    means: 'the proxy options are not valid',
    why: 'addresses of clients are counted from the right of `X-Forwarded-For`, one for each proxy',
    fix: 'correct `--proxy-hops` (a number) or `--proxy-from` (addresses or networks)',
  },
  OIDC_INVALID: {
    means: 'the options of the sign-in provider are not valid',
    why: 'an incomplete configuration could let in the wrong people',
    fix: 'correct the `--oidc-…` option that the message names',
  },
  PEOPLE_NONE: {
    means: 'this server has no people yet',
    why: 'the first start of a server creates the first token; no server was started with this store and these keys',
    fix: 'run it in the folder of the server, or give its `--store` and `--state`; or start the server once',
  },
  PEOPLE_UNREADABLE: {
    means: 'the list of people cannot be read',
    why: 'without it the server cannot identify people',
    fix: 'restore `people.json` of the state directory, or remove it: the next start creates a new token',
  },
  PERSON_ELSEWHERE: {
    means: 'the person has access to other tenants only',
    why: 'a token is valid only in its own tenants',
    fix: 'start with `--new-token` to create one for this tenant, or name another person with `--principal`',
  },
  TOKEN_ROLE: {
    means: 'the token has no role',
    why: 'every token needs a role',
    fix: 'add `--role` with some of operator, approver, auditor, or source alone',
  },
  TOKEN_SHORT: {
    means: 'invalid token: too short, or with characters that are not allowed',
    why: 'a short token can be guessed',
    fix: 'create one with `rubicon token`',
  },
  KEYS_SEALED: {
    means: 'the key files are sealed, and no passphrase that opens them is given',
    why: 'without its keys a runtime signs nothing, and decides nothing',
    fix: 'name the file with the passphrase: `--passphrase-file`, or `RUBICON_PASSPHRASE_FILE`',
  },
  KEYS_OPEN: {
    means: 'a passphrase is given, and the key files are not sealed',
    why: 'a passphrase shows that they were meant to be sealed',
    fix: 'seal them, `rubicon keys seal --passphrase-file PATH`, or leave the passphrase out',
  },
  KEYS_LOST: {
    means: 'the store has a ledger, and its signing keys are missing',
    why: 'new keys would not be valid in an existing ledger, so none are created',
    fix: 'restore the files of `keys` in the state directory from the backup, or name the right directory: `--state`',
  },
  KEY_DAMAGED: {
    means: 'a key file does not contain an Ed25519 private key',
    why: 'it was truncated or replaced',
    fix: 'restore it from the backup of the state directory',
  },
  KEY_UNREGISTERED: {
    means: 'a signing key of this process is not valid for this store',
    why: 'the store was created with other keys, or this one was retired or compromised',
    fix: 'use the state directory or the key agent that the store was created with (`--state`, `--key-agent`)',
  },
  SIGNER_UNAVAILABLE: {
    means: 'the key agent does not sign',
    why: 'it is gone, locked, refuses, or lacks a key; nothing is recorded without a signature',
    fix: 'check that the agent runs and is not locked; `ssh-add -L` lists its keys, with the comments rubicon/TENANT/PURPOSE',
  },
  CAPABILITY_INVALID: {
    means: 'a capability cannot be registered as it is',
    why: 'a check on a member that no call can have would never run',
    fix: 'correct the member that the message names',
  },
  SCHEMA_REFUSED: {
    means: 'the schema of parameters cannot be compiled',
    why: 'parameters that cannot be checked are not sent',
    fix: 'write JSON Schema 2020-12, with patterns without back-references and look-around',
  },
  POLICY_INVALID: {
    means: 'a policy cannot be used as it is',
    why: 'a rule that cannot be parsed would never apply',
    fix: 'correct it at the line that the message names; `rubicon policy check FILE`',
  },
  TOPOLOGIES_INVALID: {
    means: 'the rows that say which decisions take which way cannot be used',
    why: 'a row that is not understood might be the one that asked for more',
    fix: 'write rows such as {topology: "DL_PCI", agents: ["banker"], policy_kinds: ["PAY"]}',
  },
  TOPICS_INVALID: {
    means: 'the rows of `topics` cannot be used',
    why: 'a row that cannot be read might contain a limit',
    fix: 'write rows such as {topic: "market.*", arbitration: {window_ms: 2000}}',
  },
  POLICY_UNPINNED: {
    means: 'a policy is a function in code, and the store is shared with other processes',
    why: 'processes cannot compare functions, only files',
    fix: 'put the policy into a `.cedar` or TypeScript file',
  },
  RULES_ANY_SHARED: {
    means: '`any-in-development` was given, and the store is shared with other processes',
    why: 'every start would replace the rules of the other processes',
    fix: 'accept one change, by the hash that is printed for it',
  },
  RULES_OVERLAP: {
    means: 'the former rules would stay valid for too long',
    why: 'two sets of rules are valid at a time only while processes are replaced',
    fix: 'name a shorter time in `--previous-for`: a day at most',
  },
  SOURCE_DIFFERS: {
    means: 'the declaration of a source differs from its registration, or the source was retired',
    why: 'starting a process does not change which facts count',
    fix: 'declare what `rubicon source list` shows, or change that: `rubicon source add NAME`',
  },
  BACKGROUND_STOPPED: {
    means: 'the background work of this process has stopped',
    why: 'timers, resends and expiries would not happen',
    fix: 'restart the process; its log says why (`background_failed`)',
  },
}
