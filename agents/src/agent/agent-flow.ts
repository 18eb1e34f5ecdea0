/**
 * A flow as the code of an agent holds it, wherever the runtime is: over HTTP or in the same process. Everything that
 * an agent can do is propose; besides that it may look, and say what it thinks.
 */
import type { SignedAtom } from 'rubicon-kernel/atom'
import type { JsonObject } from 'rubicon-kernel/canonical'
import type { ArtifactRef, WorkingContext } from 'rubicon-kernel/context'
import type { EscalationDecision } from 'rubicon-kernel/escalation'
import type { Grammar } from 'rubicon-kernel/grammar'
import type { InstanceUntil } from 'rubicon-kernel/ledger'
import type { OfferedTool, UsageAnswer } from '../generated.ts'
import type { AgentAnswer } from './agent-answer.ts'

/** A flow of an agent: the same over HTTP and in process. */
export interface AgentFlow {
  /** Its name, minted by the runtime. */
  readonly dfid: string
  /** What the agent was shown last: at the opening, with a refusal, or when it looked again. */
  readonly context: WorkingContext
  /** Says what it wants done. A refusal is an answer. */
  propose(proposal: AgentProposal, options?: ProposeWithin): Promise<AgentAnswer>
  /** After ESCALATED or PENDING: waits, and says what became of it. */
  readonly settled: (options?: SettledWait) => Promise<AgentAnswer>
  /** Settles what is known of the next decision; a proposal names it by `atom_id`, within a minute and once. */
  readonly atom: (request?: { readonly policy_kinds?: readonly string[] }) => Promise<SignedAtom>
  /** Adds the agent's own words to the session. They end with the flow. */
  readonly note: (text: string) => Promise<void>
  /** Says how the agent sees it, for people; a proposal refers to it by `explain_ref`. */
  explain(explanation: ExplainResult): Promise<{ readonly explain_ref: string }>
  /** Looks again. The next proposal refers to what is seen then. */
  refresh(request?: { readonly state?: readonly string[] }): Promise<WorkingContext>
  /** What may be proposed here: what contract, writ and registry all admit, with the schemas of parameters. */
  listTools(): Promise<readonly OfferedTool[]>
  /** What may be written for these kinds: contract ∩ writ ∩ schema, on the State that was shown. */
  loadGrammar(kinds: readonly string[]): Promise<Grammar>
  /** Looks into the reference documents; that it did is noted in the session. */
  search(text: string): Promise<readonly ArtifactRef[]>
  /** What reasoning cost since the last report. It is an estimate, and it is counted. */
  usage(used: AgentUsage, options?: { readonly report?: string }): Promise<UsageAnswer>
  /** Opens a flow for another agent, inside the authority of this one; its dfid is in the result. */
  spawn(request: ChildOpening, options?: StepWait): Promise<AgentAnswer>
  /** Makes an instance of itself, or of an agent below, which ends with a flow or at a time. */
  spawnInstance(request: InstanceOpening, options?: StepWait): Promise<AgentAnswer>
  /** Decides what an agent below has asked. */
  resolveEscalation(
    id: string,
    decision: EscalationDecision,
    options?: StepWait,
  ): Promise<AgentAnswer>
  /** Chooses from the menu what is done about a flow that did half of its job. */
  compensate(dfid: string, action: string, options?: StepWait): Promise<AgentAnswer>
  /** Asks for a person; the flow waits for one. */
  escalate(reason: string, options?: StepWait): Promise<AgentAnswer>
  /** Ends the agent itself, for good. */
  requestRetire(reason: string, options?: StepWait): Promise<AgentAnswer>
  /** Ends a flow of which nothing was sent. */
  cancel(reason: string): Promise<void>
  /** Ends a flow of several steps. */
  close(): Promise<void>
}

/** Members that identify the flow and its context are filled in; given ones are kept as they are. */
export type AgentProposal = {
  /** Of the capability that is wanted. */
  readonly policy_kind: string
  /** What it is called with; its schema is the capability's. */
  readonly params?: object
} & Readonly<Record<string, unknown>>

/** How an agent sees its situation: for people, never read by a gate. */
export type ExplainResult = {
  /** What the agent sees, in its own words. */
  readonly narrative: string
  /** What it took from the facts. */
  readonly identified_signals?: readonly string[]
  /** What may be wrong about it. */
  readonly risks?: readonly string[]
}

/** How long an answer may take. */
export type ProposeWait = {
  /** How long to wait for the effect before it is answered PENDING. */
  readonly waitMs?: number
}

/** How long an answer may take, and what is not even said. */
export type ProposeWithin = ProposeWait & {
  /** What is outside of it is neither signed nor sent (`DECODE_FAILED`). */
  readonly grammar?: Pick<Grammar, 'schema'>
}

/** How an act is waited for. */
export type ActWait = ProposeWait & {
  /** Nothing is sent after it; what was sent goes on. */
  readonly signal?: AbortSignal
}

/** A step is done once: whoever does the same kind of thing twice names the steps. */
export type StepWait = ProposeWait & {
  /** The name of the step in its flow. */
  readonly step_id?: string
}

/** How long somebody else is waited for. */
export type SettledWait = {
  /** Ends the waiting; what is waited for goes on. */
  readonly signal?: AbortSignal
}

/** Decimals by measure: what was used since the last report. */
export type AgentUsage = Readonly<Record<string, number | string>>

/** What a flow is opened for, and what its agent is shown. */
export type FlowOpening = {
  /** Why the flow is opened. It may be anybody's words, and is read as those of an outsider. */
  readonly trigger: string
  /** `many`: the agent ends the flow itself, after as many steps as it needs. */
  readonly steps?: 'one' | 'many'
  /** The chain of entries that it is recorded in; `main` when nobody says. */
  readonly trajectory?: string
  /** State paths that the agent is shown, or prefixes ending in `*` of what was observed. */
  readonly state?: readonly string[]
  /** Resources of World that it is shown. */
  readonly world?: readonly { readonly kind: string; readonly id: string }[]
}

/** A flow for another agent, under a part of this one’s authority. */
export type ChildOpening = FlowOpening & {
  /** Who works on it. */
  readonly agent: string
  /** What it gets of this flow's budget, where that is not the usual tenth. */
  readonly budget?: Readonly<Record<string, string>>
}

/** An agent of its own, under the contract of a class or less. */
export type InstanceOpening = {
  /** The agent whose contract it has. */
  readonly class: string
  /** How it is called; the name is never used again. */
  readonly instance_id: string
  /** A merge patch on the contract of the class. */
  readonly narrowing?: JsonObject
  /** With which flow, or when, it ends. */
  readonly until: InstanceUntil
}
