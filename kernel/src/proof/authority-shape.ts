/** The payloads of the authority trajectory: each is a body and the signature under it. */
import { isObject } from '../canonical/json-value.ts'
import { SOURCE_LABELS } from '../fact/source.ts'
import { KEY_PURPOSES } from '../keys/key.ts'
import { MONITOR_BODIES } from './monitor-shape.ts'
import {
  address,
  base64,
  count,
  either,
  flag,
  having,
  identifier,
  instant,
  listOf,
  mapOf,
  members,
  nullOr,
  oneOf,
  type Shape,
  text,
} from './shape.ts'

export const signature: Shape = members({ key_id: identifier, sig: base64 })

function signed(body: Shape): Shape {
  return members({ body, signature })
}

const keyMembers = {
  key_id: identifier,
  public_key: base64,
  purpose: oneOf(KEY_PURPOSES),
  subject: text,
}
const keyAdd = members({
  body: members({ action: oneOf(['add']), ...keyMembers }, { by: text }),
  possession: base64,
  signature,
})
const keyRetire = signed(members({ action: oneOf(['retire']), ...keyMembers }, { by: text }))
const keyCompromise = signed(
  members({ action: oneOf(['compromise']), ...keyMembers, since_seq: count }, { by: text }),
)

const deploying = {
  action: oneOf(['deploy']),
  contract: having({ agent_id: text, version: text }),
  contract_hash: address,
  revoke_previous: flag,
}
const named = { owner: identifier, approvers: listOf(identifier) }
const deployment = signed(members({ ...deploying, persons: members(named) }))
/** A name alone could not be compared with anybody. */
const deployedBy = signed(
  members({ ...deploying, persons: members({ ...named, deployer: identifier }), by: text }),
)
const until: Shape = (value) =>
  isObject(value) && Object.hasOwn(value, 'at')
    ? members({ at: text })(value)
    : members({ flow: identifier })(value)
const spawning = signed(
  members(
    {
      action: oneOf(['spawn']),
      contract: having({ agent_id: text, version: text, instance_of: text }),
      contract_hash: address,
      of: address,
    },
    { occasion: members({ spawner: identifier, until, ends_at: instant }) },
  ),
)

const agentStatus = oneOf(['INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED'])
const lifecycle = signed(
  members({
    agent_id: text,
    from: nullOr(agentStatus),
    to: agentStatus,
    actor: oneOf(['registry', 'runtime', 'operator', 'agent']),
    by: text,
    justification: text,
  }),
)

const revocation = signed(
  members({ target: oneOf(['writ', 'contract']), id: text, reason: text }, { by: text }),
)

const capability = { capability: having({ kind: identifier }), capability_hash: address }
const rules = members(
  {
    rules_hash: address,
    rules: having({ compiler_version: text, policies: listOf(having({ source: text })) }),
    capabilities: listOf(members(capability)),
    texts: mapOf(text),
  },
  { previous_until: instant },
)

const restore = signed(
  members({
    action: oneOf(['accept_restore']),
    epoch: count,
    checkpoint: text,
    lost_from: count,
    lost_to: count,
    reason: text,
  }),
)

const clockConfirmed = signed(
  members({ action: oneOf(['confirm_clock']), clock: instant, last: instant, reason: text }),
)

const sourceRegistered = signed(
  members(
    {
      action: oneOf(['register']),
      source_id: identifier,
      label: oneOf(SOURCE_LABELS),
      paths: listOf(text),
      max_paths: count,
    },
    { key: base64, by: text },
  ),
)
const sourceRetired = signed(
  members({ action: oneOf(['retire']), source_id: identifier }, { by: text }),
)
const linked: Shape = either(members({ commitment: address }), members({ key_id: identifier }))
const person = [
  members(
    { action: oneOf(['register']), person_id: identifier, identities: listOf(linked) },
    { by: text },
  ),
  members(
    { action: oneOf(['link', 'unlink']), person_id: identifier, identity: linked },
    { by: text },
  ),
  members({ action: oneOf(['merge']), person_id: identifier, into: identifier }, { by: text }),
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
    signed(rules),
    signed(members({ action: oneOf(['capability']), ...capability }, { previous_until: instant })),
    ...MONITOR_BODIES.map(signed),
  ],
  anchor: [restore, clockConfirmed],
  source: [sourceRegistered, sourceRetired],
  person: person.map(signed),
}
