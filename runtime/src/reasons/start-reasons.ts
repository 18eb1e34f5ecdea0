/** Codes of a runtime or a server that does not start: options, people, keys and rules that do not fit. */
import type { EngineReason } from './engine-reasons.ts'

export const START_REASONS: Readonly<Record<string, EngineReason>> = {
  OPTIONS_INVALID: {
    means: 'an option of the runtime cannot be used as it is',
    why: 'a runtime that guessed what was meant would decide by it',
    fix: 'correct the option that the message names',
  },
  PORT_INVALID: {
    means: 'the port is no port',
    why: 'it is a whole number from 0 to 65535; 0 takes any that is free',
    fix: 'correct `--port`, `RUBICON_PORT` or `serve({ port })`',
  },
  HOST_INSECURE: {
    means: 'the address can be reached from other machines',
    why: 'tokens and decisions would travel in clear text',
    fix: 'put a proxy with TLS in front of 127.0.0.1, or add `--insecure-host`',
  },
  PUBLIC_URL: {
    means: 'the public address is none that people can use',
    why: 'people send tokens and decisions there',
    fix: 'use `https://HOST` without a path; `http` is for this machine only',
  },
  PROXIES_INVALID: {
    means: 'what was said of proxies cannot be used',
    why: 'addresses of clients are counted from the right of `X-Forwarded-For`, one for each proxy',
    fix: 'correct `--proxy-hops` (a number) or `--proxy-from` (addresses or networks)',
  },
  OIDC_INVALID: {
    means: 'what was said of the sign-in provider cannot be used',
    why: 'a provider that is half configured would let in the wrong people',
    fix: 'correct the `--oidc-…` option that the message names',
  },
  PEOPLE_NONE: {
    means: 'nobody may ask this server yet',
    why: 'the first start of a server makes the first token; there was none with this store and these keys',
    fix: 'run it in the folder of the server, or give its `--store` and `--state`; or start the server once',
  },
  PEOPLE_UNREADABLE: {
    means: 'the file that says who may ask cannot be read',
    why: 'what cannot be read lets nobody in',
    fix: 'restore `people.json` of the state directory, or remove it: the next start makes a new token',
  },
  PERSON_ELSEWHERE: {
    means: 'the person may ask in other tenants only',
    why: 'a token counts in the tenants it was made for',
    fix: 'start with `--new-token`, which makes one for this tenant, or name somebody else with `--principal`',
  },
  TOKEN_ROLE: {
    means: 'nobody says what the bearer of the token may do',
    why: 'a token without a role would be one for everything',
    fix: 'add `--role` with some of operator, approver, auditor, or source alone',
  },
  TOKEN_SHORT: {
    means: 'the token is too short, or has characters that tokens do not have',
    why: 'a short one can be guessed',
    fix: 'let `rubicon token` make one',
  },
  KEYS_SEALED: {
    means: 'the key files are sealed, and no passphrase opens them',
    why: 'without its keys a runtime signs nothing, and decides nothing',
    fix: 'name the file with the passphrase: `--passphrase-file`, or `RUBICON_PASSPHRASE_FILE`',
  },
  KEYS_OPEN: {
    means: 'a passphrase is given, and the key files are not sealed',
    why: 'whoever gives a passphrase believes that they are',
    fix: 'seal them, `rubicon keys seal --passphrase-file PATH`, or leave the passphrase out',
  },
  KEYS_LOST: {
    means: 'signing keys are not beside the store that has a ledger',
    why: 'a ledger knows its keys; new ones would count for nothing in it, so that none are made',
    fix: 'put the files of `keys` in the state directory back, from the backup, or name the right one: `--state`',
  },
  KEY_DAMAGED: {
    means: 'a key file holds no Ed25519 private key',
    why: 'it was cut off, or something else was put in its place',
    fix: 'put it back from the backup of the state directory',
  },
  KEY_UNREGISTERED: {
    means: 'a signing key that is held here does not count in this store',
    why: 'the store was made with other keys, or this one was retired or compromised',
    fix: 'use the state directory or the key agent that the store was made with (`--state`, `--key-agent`)',
  },
  SIGNER_UNAVAILABLE: {
    means: 'whoever holds the signing keys does not sign',
    why: 'the key agent is gone, locked, refuses, or lacks a key; what is not signed is not recorded',
    fix: 'see that the agent runs and is not locked; `ssh-add -L` lists its keys, with the comments rubicon/TENANT/PURPOSE',
  },
  CAPABILITY_INVALID: {
    means: 'a capability cannot be registered as it is',
    why: 'a check on something that no call can have would never run',
    fix: 'correct the member that the message names',
  },
  SCHEMA_REFUSED: {
    means: 'the schema of parameters cannot be compiled',
    why: 'parameters that cannot be checked are not sent',
    fix: 'write JSON Schema 2020-12, with patterns without back-references and look-around',
  },
  POLICY_INVALID: {
    means: 'a policy cannot be used as it is',
    why: 'a rule that cannot be parsed would never speak',
    fix: 'correct it at the line that the message names; `rubicon policy check FILE`',
  },
  POLICY_UNPINNED: {
    means: 'a policy is a function in code, and the store is shared with other processes',
    why: 'nobody could tell whether two processes hold the same function',
    fix: 'put the policy into a `.cedar` or TypeScript file',
  },
  RULES_ANY_SHARED: {
    means: '`any-in-development` was given, and the store is shared with other processes',
    why: 'every start would replace the rules that the others decide by',
    fix: 'agree to one change, by the hash that is printed for it',
  },
  RULES_OVERLAP: {
    means: 'the former rules would count for longer than they may',
    why: 'two sets of rules at a time are for the exchange of processes',
    fix: 'name a shorter time in `--previous-for`: a day at most',
  },
  SOURCE_DIFFERS: {
    means: 'a source is declared otherwise than it is registered, or was retired',
    why: 'which facts count is not changed by starting a process',
    fix: 'declare what `rubicon source list` shows, or change that: `rubicon source add NAME`',
  },
  BACKGROUND_STOPPED: {
    means: 'the background work of this process has stopped',
    why: 'timers, resends and expiries would not happen',
    fix: 'restart the process; its log says why (`background_failed`)',
  },
}
