/** The doors of the four layers: what may be written into them, and read out of them, by whom. */
import type { ArtifactRef, FactLabel, Failure, Result, WorkingContext } from 'rubicon-kernel'
import type { Context } from '../context.ts'
import { forAgent, forFlow, type InSession } from '../registry/in-session.ts'
import { type AgentState, readAgentState, writeAgentState } from './agent-state.ts'
import {
  type Artifact,
  type ArtifactOptions,
  dropArtifact,
  type Indexed,
  putArtifact,
} from './artifacts.ts'
import { type Explained, type Explanation, explain } from './explain.ts'
import { addNote, type Note, type Noted } from './note.ts'
import { type Observation, type Observed, observe } from './observe.ts'
import { type RefreshRequest, refreshContext } from './refresh.ts'
import { searchArtifacts } from './search-artifacts.ts'
import type { Speaker } from './speaker.ts'

/** Whose word it is: that of the agent, unless somebody else says it. */
export type NoteOptions = InSession & { readonly by?: FactLabel }

export type SearchOptions = InSession & {
  /** The flow that looks: what it found is noted in its session. */
  readonly dfid?: string
}

type Asked = <T>(work: () => Promise<Result<T, Failure>>) => Promise<Result<T, Failure>>

export class ContextStore {
  readonly #context: Context
  readonly #asked: Asked

  constructor(context: Context, asked: Asked) {
    this.#context = context
    this.#asked = asked
  }

  /** In the name of this process, unless somebody else asked it to. */
  observe(
    input: Observation | readonly Observation[],
    speaker: Speaker = { kind: 'process' },
  ): Promise<Result<readonly Observed[], Failure>> {
    return this.#asked(() => observe(this.#context, input, speaker))
  }

  note(dfid: string, note: Note, options: NoteOptions = {}): Promise<Result<Noted, Failure>> {
    const { by = 'agent' } = options
    return this.#asked(() =>
      forFlow(this.#context, dfid, options, () => addNote(this.#context, dfid, note, by)),
    )
  }

  /** The agent's own account, for people. */
  explain(
    dfid: string,
    explanation: Explanation,
    options: InSession = {},
  ): Promise<Result<Explained, Failure>> {
    return this.#asked(() =>
      forFlow(this.#context, dfid, options, () => explain(this.#context, dfid, explanation)),
    )
  }

  /** A new context for an open flow; its next proposal refers to it. */
  refresh(
    dfid: string,
    options: RefreshRequest & InSession = {},
  ): Promise<Result<WorkingContext, Failure>> {
    return this.#asked(() =>
      forFlow(this.#context, dfid, options, () => refreshContext(this.#context, dfid, options)),
    )
  }

  agentState(agent: string, options: InSession = {}): Promise<Result<AgentState | null, Failure>> {
    return this.#asked(() =>
      forAgent(this.#context, agent, options, async () => ({
        ok: true,
        value: await readAgentState(this.#context, agent),
      })),
    )
  }

  putAgentState(
    agent: string,
    value: unknown,
    expectedVersion: number | null,
    options: InSession = {},
  ): Promise<Result<AgentState, Failure>> {
    return this.#asked(() =>
      forAgent(this.#context, agent, options, () =>
        writeAgentState(this.#context, agent, value, expectedVersion),
      ),
    )
  }

  putArtifact(
    artifact: Artifact,
    { by = 'operator' }: ArtifactOptions = {},
  ): Promise<Result<Indexed, Failure>> {
    return this.#asked(() => putArtifact(this.#context, artifact, by))
  }

  dropArtifact(name: string): Promise<Result<void, Failure>> {
    return this.#asked(() => dropArtifact(this.#context, name))
  }

  searchArtifacts(
    text: string,
    options: SearchOptions = {},
  ): Promise<Result<readonly ArtifactRef[], Failure>> {
    const { dfid } = options
    return this.#asked(async () => {
      if (dfid === undefined) return { ok: true, value: await searchArtifacts(this.#context, text) }
      return forFlow(this.#context, dfid, options, () => this.#searchFor(dfid, text))
    })
  }

  /** The agent's own words are in the note, so that it carries the agent's label. */
  async #searchFor(dfid: string, text: string): Promise<Result<readonly ArtifactRef[], Failure>> {
    const found = await searchArtifacts(this.#context, text)
    const places = found.map(({ artifact, chunk }) => `${artifact}#${chunk}`).join(', ')
    const note = `looked for "${text}", found ${places === '' ? 'nothing' : places}`
    const noted = await addNote(this.#context, dfid, { text: note }, 'agent')
    return noted.ok ? { ok: true, value: found } : noted
  }
}
