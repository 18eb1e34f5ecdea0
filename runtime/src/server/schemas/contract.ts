/** Contracts: a document, its versions, and what a check says of one. */
import type { JsonObject } from 'rubicon-kernel'
import { boolean, integer, many, named, orNull, string, whole, words } from '../routes/shape.ts'

export const sentence: JsonObject = named(
  'Sentence',
  whole({
    about: words('who', 'may', 'limits', 'people', 'stops', 'budget', 'watched', 'notes'),
    text: string,
  }),
)

const version: JsonObject = named(
  'ContractVersion',
  whole({
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
  whole({ agent_id: string, versions: many(version) }),
)

/** A rule that no capability answers; without a rule: no capability of the kind is recorded. */
const unanswered: JsonObject = named(
  'UnansweredRule',
  whole({ policy_kind: string, rule: orNull(string) }),
)

export const deployedContract: JsonObject = named(
  'DeployedContract',
  whole({
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
  whole({ path: string, before: orNull(string), after: orNull(string) }),
)

const documentProblem: JsonObject = named(
  'DocumentProblem',
  whole({ line: integer, column: integer, path: string, detail: string }),
)

export const checkedContract: JsonObject = named(
  'CheckedContract',
  whole({
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
  whole({ revoked: string, reason: string, seq: integer }),
)
