/** A story of the demo: who is woken by what, what its model makes of it, and what happens around it. */
import type { JsonObject } from 'rubicon-kernel'

export type Story = {
  readonly agent: string
  readonly trigger: string
  /** The flow that it is a part of. */
  readonly parent?: string
  /** What the model answers, one after the other. */
  readonly replies: readonly StoryReply[]
  /** Paths of State that the agent looks at. */
  readonly sees?: readonly string[]
  /** What bounds it is settled before the model is asked: it is decided under an atom. */
  readonly isSettledBefore?: true
  /** A job of several effects. */
  readonly isJob?: true
  /** What the outside does meanwhile. */
  readonly outside?: 'loses_answer' | 'has_no_offers' | 'moves_price'
  /** What a person decides about what waits; absent: it waits for whoever looks at the demo. */
  readonly decided?: StoryDecision
  /** Why a person leaves what was flagged; absent: it waits for whoever looks at the demo. */
  readonly reviewed?: string
}

/** Something that takes several stories, each in a flow below one of whoever is above. */
export type Incident = {
  readonly agent: string
  readonly trigger: string
  readonly parts: readonly Story[]
}

export type StoryReply = {
  readonly policy_kind: string
  readonly params: JsonObject
  readonly justification: string
  /** Of a job: which of its steps. */
  readonly step_id?: string
}

export type StoryDecision = {
  readonly decision: 'OVERRIDE' | 'MODIFY' | 'ABORT'
  readonly why: string
  /** With MODIFY. */
  readonly params?: JsonObject
}
