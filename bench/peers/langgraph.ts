/** LangGraph: a graph of a gate and an action, each checkpointed before the next one starts. */
import { randomUUID } from 'node:crypto'
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  END,
  interrupt,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { createPostgresSaver, createSqliteSaver, type Saver } from './langgraph-savers.ts'
import { type Peer, parsePeerOptions, printFigure } from './peer.ts'
import {
  judgeProposal,
  type Outcome,
  type Proposal,
  refund,
  toDenied,
  type Verdict,
} from './refund.ts'

type Graph = { invoke(proposal: Proposal): Promise<Outcome> }

function buildGatedRefund(checkpointer: BaseCheckpointSaver): Graph {
  const state = Annotation.Root({
    proposal: Annotation<Proposal>(),
    verdict: Annotation<Verdict>(),
    outcome: Annotation<Outcome>(),
  })
  const graph = new StateGraph(state)
    .addNode('gate', ({ proposal }) => ({ verdict: judgeProposal(proposal) }))
    .addNode('refund', ({ proposal }) => ({ outcome: refund(proposal) }))
    .addEdge(START, 'gate')
    .addConditionalEdges('gate', ({ verdict }) => (verdict.kind === 'permit' ? 'refund' : END))
    .addEdge('refund', END)
    .compile({ checkpointer })
  return {
    async invoke(proposal) {
      const configurable = { thread_id: randomUUID() }
      const end = await graph.invoke({ proposal }, { configurable, durability: 'sync' })
      return end.verdict.kind === 'deny' ? toDenied(end.verdict) : end.outcome
    },
  }
}

/** Its own gate: the graph stops before the action, and goes on when it is told the verdict. */
function buildInterruptedRefund(checkpointer: BaseCheckpointSaver): Graph {
  const state = Annotation.Root({
    proposal: Annotation<Proposal>(),
    verdict: Annotation<Verdict>(),
    outcome: Annotation<Outcome>(),
  })
  const graph = new StateGraph(state)
    .addNode('gate', ({ proposal }) => ({ verdict: interrupt<Proposal, Verdict>(proposal) }))
    .addNode('refund', ({ proposal }) => ({ outcome: refund(proposal) }))
    .addEdge(START, 'gate')
    .addConditionalEdges('gate', ({ verdict }) => (verdict.kind === 'permit' ? 'refund' : END))
    .addEdge('refund', END)
    .compile({ checkpointer })
  return {
    async invoke(proposal) {
      const options = { configurable: { thread_id: randomUUID() }, durability: 'sync' } as const
      await graph.invoke({ proposal }, options)
      const end = await graph.invoke(new Command({ resume: judgeProposal(proposal) }), options)
      return end.verdict.kind === 'deny' ? toDenied(end.verdict) : end.outcome
    },
  }
}

function openLangGraph({ saver, note, close }: Saver, variant: string): Peer {
  const isInterrupted = variant === 'interrupt'
  const graph = isInterrupted ? buildInterruptedRefund(saver) : buildGatedRefund(saver)
  const gated = isInterrupted ? 'interrupt and resume' : 'gate as a node'
  return { note: `${note}; ${gated}; durability sync`, act: graph.invoke, close }
}

// Nothing is sent to a tracing service, whatever this machine is set up for.
process.env.LANGSMITH_TRACING = 'false'
process.env.LANGCHAIN_TRACING_V2 = 'false'
const options = parsePeerOptions(['sqlite', 'interrupt'])
const saver =
  options.variant === 'sqlite' ? createSqliteSaver() : await createPostgresSaver(options.postgres)
await printFigure('langgraph', options, openLangGraph(saver, options.variant))
