/** How a proposal is written, as JSON Schema: what agents are shown. The kernel's parser is the law. */
import { FLOW_MEMBERS, type JsonObject, LIMITS } from 'rubicon-kernel'

const identifier: JsonObject = { type: 'string', pattern: '^[A-Za-z0-9._:@-]{1,128}$' }
const decimal: JsonObject = {
  anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' }],
}

const filledIn = { description: 'filled in from the flow when left out of an unsigned proposal' }

const properties: Readonly<Record<string, JsonObject>> = {
  dfid: {
    ...filledIn,
    type: 'string',
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  },
  agent_id: { ...identifier, ...filledIn },
  step_id: identifier,
  policy_kind: identifier,
  params: { type: 'object' },
  context_ref: { ...identifier, ...filledIn },
  mission_context_hash: { ...identifier, ...filledIn },
  execution_constraints: { type: 'object' },
  resources: {
    type: 'array',
    maxItems: LIMITS.resourcesPerProposal,
    items: {
      type: 'object',
      properties: { id: identifier, amount: decimal },
      required: ['id', 'amount'],
      additionalProperties: false,
    },
  },
  valid_until: { type: 'string', description: 'an instant in UTC, such as 2026-01-31T12:00:00Z' },
  confidence: { ...decimal, description: 'between 0 and 1; 1 when left out' },
  justification: { type: 'string', maxLength: LIMITS.justificationLength },
  explain_ref: identifier,
  grounds: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'the fact behind each parameter, by its JSON pointer: {"/to/account": path}',
  },
  schema_version: { type: 'string', maxLength: 16 },
  writ_id: identifier,
  atom_id: {
    type: 'string',
    pattern: '^sha256:[0-9a-f]{64}$',
    description: 'of the decision atom that it was decided under',
  },
  signature: {
    type: 'object',
    properties: { key_id: { type: 'string' }, sig: { type: 'string' } },
    required: ['key_id', 'sig'],
    additionalProperties: false,
  },
  supersedes: identifier,
}

/** A proposal that proves itself. */
const proofSchema: JsonObject = {
  title: 'ProofCarryingIntent',
  type: 'object',
  properties: {
    dfid: { type: 'string' },
    intent_payload: {
      type: 'object',
      description: 'the proposal, without dfid, agent_id, context_ref and signature',
    },
    context_ref: identifier,
    evidence_hash: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 over dfid, H_s, H_c and H_r, in hexadecimal digits',
    },
    roa_signature: { type: 'string', description: 'base64, over all other members, as type `pci`' },
    key_id: { type: 'string' },
  },
  required: ['dfid', 'intent_payload', 'context_ref', 'evidence_hash', 'roa_signature', 'key_id'],
  additionalProperties: false,
}

export const policySchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'PolicyProposal',
  type: 'object',
  properties,
  required: ['policy_kind'],
  dependentRequired: { signature: [...FLOW_MEMBERS] },
  additionalProperties: false,
}

/** What may be sent to a flow. */
export const proposalSchema: JsonObject = { anyOf: [policySchema, proofSchema] }

/** What its flow says of a proposal; in an act there is none yet. */
const OF_FLOW: readonly string[] = [
  ...FLOW_MEMBERS,
  'writ_id',
  'signature',
  'supersedes',
  'explain_ref',
]

/** An act: a proposal without what only its flow could say, beside what opens that. */
export function buildActionSchema(opening: JsonObject): JsonObject {
  const said = Object.entries(properties).filter(([name]) => !OF_FLOW.includes(name))
  return {
    type: 'object',
    properties: { ...Object.fromEntries(said), ...opening },
    required: ['trigger', 'policy_kind'],
    additionalProperties: false,
  }
}
