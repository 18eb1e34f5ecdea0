/** A small runtime with one capability, for tests that need a real ledger. */
import { join } from 'node:path'
import type { Answer, JsonObject } from 'rubicon-kernel'
import { createRuntime, type Runtime, type RuntimeOptions } from '../compose.ts'
import type { Capability } from '../ports/capability.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'

export const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: 'refunds_bot',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: 'Refund what customers are owed.',
  permissions: {
    policy_kinds: ['REFUND'],
    limits: [{ id: 'amount', kind: 'range', measure: 'amount', max: '500.00' }],
  },
}

export function exampleCapability(called: () => void): Capability {
  return {
    kind: 'REFUND',
    effect: 'keyed',
    risk: 'medium',
    reversible: true,
    params: {
      type: 'object',
      properties: { order: { type: 'string' }, amount: { type: 'string' } },
      required: ['order', 'amount'],
      additionalProperties: false,
    },
    measures: { amount: (params) => params.amount },
    execute: ({ params }) => {
      called()
      return {
        result: { refunded: params.amount ?? null },
        delta: [
          { op: 'create', kind: 'refund', id: String(params.order), value: params.amount ?? null },
        ],
      }
    },
  }
}

export type Example = {
  readonly runtime: Runtime
  readonly folder: string
  calls(): number
  refund(amount: string): Promise<Answer>
  close(): Promise<void>
}

export async function exampleRuntime(options: RuntimeOptions = {}): Promise<Example> {
  const folder = temporaryFolder()
  let calls = 0
  let order = 0
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: join(folder, 'state'),
    capabilities: [exampleCapability(() => void calls++)],
    report: () => {},
    ...options,
  })
  try {
    await runtime.deploy(CONTRACT)
  } catch (error) {
    await runtime.close()
    throw error
  }
  return {
    runtime,
    folder,
    calls: () => calls,
    async refund(amount) {
      order += 1
      const flow = await runtime.open({ agent: 'refunds_bot', trigger: `ticket ${order}` })
      return flow.propose({ policy_kind: 'REFUND', params: { order: `o-${order}`, amount } })
    },
    async close() {
      await runtime.close()
    },
  }
}
