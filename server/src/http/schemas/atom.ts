/** What is settled before a decision, as it is asked for and given out. */
import { COVERED_STAGES, type JsonObject, LIMITS, type SignedAtom } from 'rubicon-kernel'
import {
  allowNull,
  buildArray,
  buildClosedObject,
  buildEnum,
  buildMap,
  buildWholeObject,
  identifier,
  integer,
  listOf,
  nameSchema,
  string,
} from './shape.ts'

export const atomRequest: JsonObject = buildClosedObject({
  policy_kinds: listOf(identifier, LIMITS.contractLimits),
})

export const decisionAtom: JsonObject = nameSchema(
  'DecisionAtom',
  buildWholeObject<SignedAtom>({
    atom_id: string,
    dfid: string,
    agent_id: string,
    nonce: string,
    policy_kinds: buildArray(string),
    contract_hash: string,
    capability_hashes: buildMap(string),
    writ_id: string,
    grammar_hash: allowNull(string),
    snapshot_id: string,
    mission_context_hash: string,
    rules_hash: string,
    authority_seq: integer,
    reserved_cost: buildMap(string),
    covers: buildArray(buildEnum(...COVERED_STAGES)),
    issued_at: string,
    expires_at: string,
    kernel_signature: buildWholeObject({ key_id: string, sig: string }),
  }),
)
