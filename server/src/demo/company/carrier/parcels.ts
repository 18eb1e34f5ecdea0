/** Who asks the carrier: an agent whose only tools are those of an MCP server behind the gateway. */
import { type Contract, type JsonObject, toMcpKind } from 'rubicon-kernel'
import { RubiconError, type Runtime } from 'rubicon-runtime/compose'
import { buildContract } from '../../contract.ts'
import { APPROVED_TOOLS, CARRIER } from './tools.ts'

export const PARCELS = 'parcel_desk'

export function buildParcelsContract(): Contract {
  const kinds = APPROVED_TOOLS.map(({ name }) => toMcpKind(CARRIER, name))
  return buildContract(PARCELS, kinds, {
    mission: 'Know where every parcel is, and have broken ones paid for by the carrier.',
    permissions: {
      limits: [
        {
          id: 'claims',
          field: '/usd',
          max: '500',
          on_breach: 'escalate',
          applies_to: [toMcpKind(CARRIER, 'claim_damage')],
        },
      ],
    },
  })
}

type Errand = {
  readonly trigger: string
  readonly tool: string
  readonly params: JsonObject
  readonly says: string
}

const ERRANDS: readonly Errand[] = [
  {
    trigger: 'ticket 4711: where is my parcel?',
    tool: 'track_parcel',
    params: { parcel: 'p_4711' },
    says: 'the customer asks where it is',
  },
  {
    trigger: 'ticket 4712: please fetch the old lamp',
    tool: 'book_pickup',
    params: { parcel: 'p_4712', day: '2026-03-02' },
    says: 'the customer is at home on that day',
  },
  {
    trigger: 'ticket 4713: the vase came in pieces',
    tool: 'claim_damage',
    params: { parcel: 'p_4713', usd: '120' },
    says: 'there are pictures of it',
  },
  {
    trigger: 'ticket 4714: is mine on its way?',
    tool: 'track_parcel',
    params: { parcel: 'p_4714' },
    says: 'the customer asks where it is',
  },
]

/** Once for a store. The carrier has changed the tool for claims since it was approved: that one is not called. */
export async function askCarrier(runtime: Runtime, isStopped: () => boolean): Promise<void> {
  const { store } = runtime
  await runtime.deploy(buildParcelsContract())
  if ((await store.listFlows({ agent_id: PARCELS, limit: 1 })).length > 0) return
  for (const { trigger, tool, params, says } of ERRANDS) {
    if (isStopped()) return
    const flow = await runtime.open({ agent: PARCELS, trigger }).catch(ignoreRefusal)
    const policy_kind = toMcpKind(CARRIER, tool)
    await flow?.propose({ policy_kind, params, justification: says })
  }
}

/** A person may have stopped the agent. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof RubiconError) return null
  throw error
}
