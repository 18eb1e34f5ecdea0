/**
 * The reserved kinds, as the law reads them. They are in every rule book, under a version of their
 * own, and pass the same stages as everything else. They change nothing outside; what they do is
 * safe to repeat, and can be asked about afterwards. Their hands are in `engine/reserved-kinds/`.
 */
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import { type Capability, NotApplied } from '../ports/capability.ts'

/** In the rules hash: what the kinds mean. */
export const RESERVED_VERSION = 'reserved/1'

const identifier: JsonObject = { type: 'string', pattern: '^[A-Za-z0-9._:@-]{1,128}$' }
/** Of State: one, or the beginning of several. */
const statePath: JsonObject = {
  type: 'string',
  pattern: '^([A-Za-z0-9._:@-]{1,128}|[A-Za-z0-9._:@-]{0,127}[*])$',
}
/** As `budgetUnits` of the kernel reads it; how fine, depends on the measure. */
const amount: JsonObject = { type: 'string', pattern: '^(0|[1-9][0-9]{0,15})([.][0-9]{1,6})?$' }
const resource: JsonObject = { type: 'string', minLength: 1, maxLength: LIMITS.resourceIdLength }
const words: JsonObject = { type: 'string', minLength: 1, maxLength: 1024 }

function buildObjectSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

/** Whoever calls these has forgotten the engine. */
function throwWithoutEngine(): never {
  throw new NotApplied('the hands of a reserved kind are those of the engine')
}

function buildReservedCapability(kind: string, summary: string, params: JsonObject): Capability {
  return {
    kind,
    version: '1',
    summary,
    effect: 'put_if_match',
    risk: 'low',
    reversible: true,
    reducing: true,
    worldOnly: true,
    params,
    execute: throwWithoutEngine,
    probe: { absence_authoritative: true, max_late_arrival_s: 0, ask: throwWithoutEngine },
  }
}

export const RESERVED: readonly Capability[] = [
  buildReservedCapability(
    'SPAWN_CHILD',
    'opens a flow for another agent, under a part of this one’s authority',
    buildObjectSchema(
      {
        agent: identifier,
        trigger: words,
        steps: { enum: ['one', 'many'] },
        trajectory: identifier,
        budget: { type: 'object', propertyNames: identifier, additionalProperties: amount },
        state: { type: 'array', items: statePath, maxItems: LIMITS.contextStatePaths },
        world: {
          type: 'array',
          items: buildObjectSchema({ kind: resource, id: resource }, ['kind', 'id']),
          maxItems: LIMITS.contextStatePaths,
        },
      },
      ['agent', 'trigger'],
    ),
  ),
  buildReservedCapability(
    'SPAWN_INSTANCE',
    'makes an instance of itself, or of an agent below, which ends with a flow or at a time',
    buildObjectSchema(
      {
        class: identifier,
        instance_id: identifier,
        narrowing: { type: 'object' },
        until: {
          ...buildObjectSchema({ flow: identifier, at: { type: 'string' } }, []),
          minProperties: 1,
          maxProperties: 1,
        },
      },
      ['class', 'instance_id', 'until'],
    ),
  ),
  buildReservedCapability(
    'RESOLVE_ESCALATION',
    'decides what an agent below has asked',
    buildObjectSchema(
      {
        request_id: { type: 'string', minLength: 1, maxLength: 256 },
        decision: { type: 'string' },
        intent_digest: { type: 'string' },
        shown_snapshot: { type: 'string' },
        lifts: { type: 'array', items: { type: 'string' } },
        valid_until: { type: 'string' },
        justification: { type: 'string' },
        acknowledged_impact: { type: 'string' },
        modified: { type: 'object' },
      },
      ['request_id', 'decision', 'intent_digest', 'shown_snapshot', 'justification'],
    ),
  ),
  buildReservedCapability(
    'COMPENSATE',
    'chooses what is done about a flow that did half of its job',
    buildObjectSchema({ dfid: identifier, action: identifier }, ['dfid', 'action']),
  ),
  buildReservedCapability(
    'ESCALATE',
    'asks for a person',
    buildObjectSchema({ reason: words }, ['reason']),
  ),
  buildReservedCapability(
    'RETIRE',
    'ends the agent itself',
    buildObjectSchema({ reason: words }, ['reason']),
  ),
  buildReservedCapability(
    'HALT',
    'stops everything that is not dispatched yet for the event that opened the flow',
    buildObjectSchema({ reason: words }, ['reason']),
  ),
]
