/** The payloads of the authority trajectory: each is a body and the signature under it. */
import { isObject } from '../canonical/json-value.ts'
import { SOURCE_LABELS } from '../fact/source.ts'
import { KEY_PURPOSES } from '../keys/key.ts'
import { TOPOLOGIES } from '../topology/topology.ts'
import { MONITOR_BODIES } from './monitor-shape.ts'
import {
  address,
  base64,
  count,
  createEnumShape,
  createExactShape,
  createMapShape,
  createNullableShape,
  createOpenShape,
  createUnionShape,
  flag,
  identifier,
  instant,
  listOf,
  type Shape,
  text,
} from './shape.ts'

export const signature: Shape = createExactShape({ key_id: identifier, sig: base64 })

function createSignedShape(body: Shape): Shape {
  return createExactShape({ body, signature })
}

const keyMembers = {
  key_id: identifier,
  public_key: base64,
  purpose: createEnumShape(KEY_PURPOSES),
  subject: text,
}
const keyAdd = createExactShape({
  body: createExactShape({ action: createEnumShape(['add']), ...keyMembers }, { by: text }),
  possession: base64,
  signature,
})
const keyRetire = createSignedShape(
  createExactShape({ action: createEnumShape(['retire']), ...keyMembers }, { by: text }),
)
const keyCompromise = createSignedShape(
  createExactShape(
    { action: createEnumShape(['compromise']), ...keyMembers, since_seq: count },
    { by: text },
  ),
)

const deploying = {
  action: createEnumShape(['deploy']),
  contract: createOpenShape({ agent_id: text, version: text }),
  contract_hash: address,
  revoke_previous: flag,
}
const named = { owner: identifier, approvers: listOf(identifier) }
const deployment = createSignedShape(
  createExactShape({ ...deploying, persons: createExactShape(named) }),
)
/** A name alone could not be compared with anybody. */
const deployedBy = createSignedShape(
  createExactShape({
    ...deploying,
    persons: createExactShape({ ...named, deployer: identifier }),
    by: text,
  }),
)
const checkUntilShape: Shape = (value) =>
  isObject(value) && Object.hasOwn(value, 'at')
    ? createExactShape({ at: text })(value)
    : createExactShape({ flow: identifier })(value)
const spawning = createSignedShape(
  createExactShape(
    {
      action: createEnumShape(['spawn']),
      contract: createOpenShape({ agent_id: text, version: text, instance_of: text }),
      contract_hash: address,
      of: address,
    },
    {
      occasion: createExactShape({ spawner: identifier, until: checkUntilShape, ends_at: instant }),
    },
  ),
)

const agentStatus = createEnumShape(['INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED'])
const lifecycle = createSignedShape(
  createExactShape({
    agent_id: text,
    from: createNullableShape(agentStatus),
    to: agentStatus,
    actor: createEnumShape(['registry', 'runtime', 'operator', 'agent']),
    by: text,
    justification: text,
  }),
)

const revocation = createSignedShape(
  createExactShape(
    { target: createEnumShape(['writ', 'contract']), id: text, reason: text },
    { by: text },
  ),
)

const topologyRow = createExactShape(
  { topology: createEnumShape(TOPOLOGIES) },
  { topics: listOf(text), agents: listOf(text), policy_kinds: listOf(text) },
)
const topicRow = createExactShape(
  { topic: text },
  {
    arbitration: createExactShape(
      {},
      {
        window_ms: count,
        exclusive: createEnumShape(['event', 'resources']),
        preempting_kinds: listOf(text),
      },
    ),
    admission: createExactShape(
      {},
      {
        table: listOf(createExactShape({ from: text, agents: count })),
        tokens: createExactShape({ per_window: count, window_s: count, expected: count }),
      },
    ),
  },
)
const capability = { capability: createOpenShape({ kind: identifier }), capability_hash: address }
const rules = createExactShape(
  {
    rules_hash: address,
    rules: createOpenShape(
      { compiler_version: text, policies: listOf(createOpenShape({ source: text })) },
      { topologies: listOf(topologyRow), topics: listOf(topicRow) },
    ),
    capabilities: listOf(createExactShape(capability)),
    texts: createMapShape(text),
  },
  { previous_until: instant },
)

const restore = createSignedShape(
  createExactShape({
    action: createEnumShape(['accept_restore']),
    epoch: count,
    checkpoint: text,
    lost_from: count,
    lost_to: count,
    reason: text,
  }),
)

const clockConfirmed = createSignedShape(
  createExactShape({
    action: createEnumShape(['confirm_clock']),
    clock: instant,
    last: instant,
    reason: text,
  }),
)

const sourceRegistered = createSignedShape(
  createExactShape(
    {
      action: createEnumShape(['register']),
      source_id: identifier,
      label: createEnumShape(SOURCE_LABELS),
      paths: listOf(text),
      max_paths: count,
    },
    { key: base64, by: text },
  ),
)
const sourceRetired = createSignedShape(
  createExactShape({ action: createEnumShape(['retire']), source_id: identifier }, { by: text }),
)
const linked: Shape = createUnionShape(
  createExactShape({ commitment: address }),
  createExactShape({ key_id: identifier }),
)
const person = [
  createExactShape(
    { action: createEnumShape(['register']), person_id: identifier, identities: listOf(linked) },
    { by: text },
  ),
  createExactShape(
    { action: createEnumShape(['link', 'unlink']), person_id: identifier, identity: linked },
    { by: text },
  ),
  createExactShape(
    { action: createEnumShape(['merge']), person_id: identifier, into: identifier },
    { by: text },
  ),
]

type AuthorityKind =
  | 'key'
  | 'contract'
  | 'lifecycle'
  | 'revocation'
  | 'policy'
  | 'anchor'
  | 'source'
  | 'person'

export const AUTHORITY_SHAPES: Readonly<Record<AuthorityKind, readonly Shape[]>> = {
  key: [keyAdd, keyRetire, keyCompromise],
  contract: [deployment, deployedBy, spawning],
  lifecycle: [lifecycle],
  revocation: [revocation],
  policy: [
    createSignedShape(rules),
    createSignedShape(
      createExactShape(
        { action: createEnumShape(['capability']), ...capability },
        { previous_until: instant },
      ),
    ),
    ...MONITOR_BODIES.map(createSignedShape),
  ],
  anchor: [restore, clockConfirmed],
  source: [sourceRegistered, sourceRetired],
  person: person.map(createSignedShape),
}
