/** The latency of the law itself: compile on recorded facts, without a store or a signature. */
import {
  type CompileInput,
  compile,
  type DispatchPayload,
  findPinnedContract,
  foldAuthority,
  NO_AUTHORITY,
  parseProposal,
  toAddressed,
  type WritPayload,
} from 'rubicon-kernel'
import type { Engine } from '../../runtime/src/engine/engine.ts'
import { computePercentile } from './measure.ts'

const ROUNDS = 5_000

export async function measureGateLatency(
  engine: Engine,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const input = await readRecordedInput(engine)
  const times: number[] = []
  for (let i = 0; i < 1_000; i++) compile(input)
  for (let i = 0; i < ROUNDS; i++) {
    const started = performance.now()
    compile(input)
    times.push((performance.now() - started) * 1000)
  }
  return { p50: computePercentile(times, 0.5), p99: computePercentile(times, 0.99) }
}

/** The last decision of the store, put together again from the record. */
async function readRecordedInput({ context }: Engine): Promise<CompileInput> {
  const { store, book, sha256 } = context
  const [flow] = await store.listFlows({ state: ['CLOSED'], limit: 1 })
  const entries = flow === undefined ? [] : await store.listFlowEntries(flow.dfid)
  const findPayload = <T>(kind: string): T => {
    const text = entries.find(({ envelope }) => envelope.kind === kind)?.payload
    if (text == null) throw new Error(`the last flow has no ${kind} entry`)
    return JSON.parse(text) as T
  }
  const { facts, proposal: document } = findPayload<DispatchPayload>('dispatch')
  const { writ } = findPayload<WritPayload>('writ')
  if (facts === undefined || document === undefined) throw new Error('a dispatch records its facts')
  const proposal = parseProposal(document)
  const authority = foldAuthority(NO_AUTHORITY, await store.listEntries('authority', 0, 1000))
  const contract = findPinnedContract(authority, facts.flow.agent_id, facts.contract?.hash ?? '')
  if (!proposal.ok || contract === undefined) throw new Error('a recorded decision can be read')
  return {
    facts: toAddressed('facts', facts, sha256),
    proposal: proposal.value,
    document: toAddressed('proposal', document, sha256),
    contract: contract.contract,
    writs: [writ],
    rules: book.rules,
  }
}
