/** Contracts: a document, its versions, and what a check says of one. */
import type { JsonObject } from 'rubicon-kernel'
import {
  boolean,
  buildWholeObject,
  integer,
  many,
  named,
  orNull,
  string,
  words,
} from '../routes/shape.ts'

export const sentence: JsonObject = named(
  'Sentence',
  buildWholeObject({
    about: words('who', 'may', 'limits', 'people', 'stops', 'budget', 'watched', 'notes'),
    text: string,
  }),
)

const version: JsonObject = named(
  'ContractVersion',
  buildWholeObject({
    version: string,
    contract_hash: string,
    seq: integer,
    at: string,
    signed_by: string,
    key_id: string,
    /** The person who had it signed; null: not recorded. */
    by: orNull(string),
    revoked: boolean,
    in_force: boolean,
    /** The stored document as YAML. */
    source: string,
    sentences: many(sentence),
  }),
)

export const contractVersions: JsonObject = named(
  'ContractVersions',
  buildWholeObject({ agent_id: string, versions: many(version) }),
)

/** A rule that no capability answers; without a rule: no capability of the kind is recorded. */
const unanswered: JsonObject = named(
  'UnansweredRule',
  buildWholeObject({ policy_kind: string, rule: orNull(string) }),
)

export const deployedContract: JsonObject = named(
  'DeployedContract',
  buildWholeObject({
    agent_id: string,
    version: string,
    contract_hash: string,
    unchanged: boolean,
    not_enforced: many(string),
    unanswered: many(unanswered),
  }),
)

const change: JsonObject = named(
  'DocumentChange',
  buildWholeObject({ path: string, before: orNull(string), after: orNull(string) }),
)

const documentProblem: JsonObject = named(
  'DocumentProblem',
  buildWholeObject({ line: integer, column: integer, path: string, detail: string }),
)

export const checkedContract: JsonObject = named(
  'CheckedContract',
  buildWholeObject({
    ok: boolean,
    code: orNull(string),
    summary: orNull(string),
    problems: many(documentProblem),
    agent_id: orNull(string),
    version: orNull(string),
    contract_hash: orNull(string),
    sentences: many(sentence),
    not_enforced: many(string),
    unanswered: many(unanswered),
    /** Beside the version in force. */
    changes: many(change),
  }),
)

export const revoked: JsonObject = named(
  'Revoked',
  buildWholeObject({ revoked: string, reason: string, seq: integer }),
)
