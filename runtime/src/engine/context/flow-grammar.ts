/** What a model may write for the agent of a flow: of its contract and writ, on the State that it was shown. */
import {
  buildGrammar,
  type CapabilityDescription,
  err,
  type Failure,
  findPinnedContract,
  type Grammar,
  type JsonValue,
  listGrammarPaths,
  type Result,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import type { Context } from '../engine-context.ts'

/** For which kinds a grammar is asked. */
export type GrammarRequest = {
  /** Those that the agent chooses from. */
  readonly kinds: readonly string[]
}

/** The grammar of some kinds for the agent of a flow, on the State that it was shown. */
export async function buildFlowGrammar(
  context: Context,
  flow: FlowRow,
  { kinds }: GrammarRequest,
): Promise<Result<Grammar, Failure>> {
  const { authorities, book, sha256, snapshots } = context
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  if (deployed === undefined) return err(unknown)
  const describe = (kind: string): CapabilityDescription | undefined =>
    book.rules.capability(kind)?.description
  const paths = kinds.flatMap((kind) => listGrammarPaths(describe(kind) ?? {}))
  const seen = paths.length === 0 ? [] : await snapshots.loadSeen(flow, paths)
  const facts = new Map<string, JsonValue>(seen.map(({ path, value }) => [path, value]))
  const chain = await loadWritChain(context, flow, undefined)
  return buildGrammar({
    contract: deployed.contract,
    writs: chain.map(({ body }) => body),
    ...{ kinds, describe, sha256 },
    facts: (path) => facts.get(path),
    ...(book.rules.regex === undefined ? {} : { regex: book.rules.regex }),
  })
}

const unknown: Failure = {
  code: 'FLOW_NOT_OPEN',
  summary: 'the contract of the flow is not in force',
  fix: 'open a new flow',
}
