/** Contracts: a document, its versions, and what a check says of one. */
import type { JsonObject } from 'rubicon-kernel'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildWholeObject,
  integer,
  nameSchema,
  string,
} from './shape.ts'

export const sentence: JsonObject = nameSchema(
  'Sentence',
  buildWholeObject({
    about: buildEnum('who', 'may', 'limits', 'people', 'stops', 'budget', 'watched', 'notes'),
    text: string,
  }),
)

const version: JsonObject = nameSchema(
  'ContractVersion',
  buildWholeObject({
    version: string,
    contract_hash: string,
    seq: integer,
    at: string,
    signed_by: string,
    key_id: string,
    /** The person who had it signed; null: not recorded. */
    by: allowNull(string),
    revoked: boolean,
    in_force: boolean,
    /** The stored document as YAML. */
    source: string,
    sentences: buildArray(sentence),
  }),
)

export const contractVersions: JsonObject = nameSchema(
  'ContractVersions',
  buildWholeObject({ agent_id: string, versions: buildArray(version) }),
)

/** A rule that no capability answers; without a rule: no capability of the kind is recorded. */
const unanswered: JsonObject = nameSchema(
  'UnansweredRule',
  buildWholeObject({ policy_kind: string, rule: allowNull(string) }),
)

export const deployedContract: JsonObject = nameSchema(
  'DeployedContract',
  buildWholeObject({
    agent_id: string,
    version: string,
    contract_hash: string,
    unchanged: boolean,
    not_enforced: buildArray(string),
    unanswered: buildArray(unanswered),
  }),
)

const change: JsonObject = nameSchema(
  'DocumentChange',
  buildWholeObject({ path: string, before: allowNull(string), after: allowNull(string) }),
)

export const documentProblem: JsonObject = nameSchema(
  'DocumentProblem',
  buildWholeObject({ line: integer, column: integer, path: string, detail: string }),
)

export const checkedContract: JsonObject = nameSchema(
  'CheckedContract',
  buildWholeObject({
    ok: boolean,
    code: allowNull(string),
    summary: allowNull(string),
    problems: buildArray(documentProblem),
    agent_id: allowNull(string),
    version: allowNull(string),
    contract_hash: allowNull(string),
    sentences: buildArray(sentence),
    not_enforced: buildArray(string),
    unanswered: buildArray(unanswered),
    /** Beside the version in force. */
    changes: buildArray(change),
  }),
)

export const revoked: JsonObject = nameSchema(
  'Revoked',
  buildWholeObject({ revoked: string, reason: string, seq: integer }),
)
