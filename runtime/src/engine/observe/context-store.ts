/** The doors of the four layers: what may be written into them, and read out of them, by whom. */
import {
  type ArtifactRef,
  err,
  type FactLabel,
  type Failure,
  type Grammar,
  ok,
  type Result,
  type WorkingContext,
} from 'rubicon-kernel'
import {
  type InSession,
  performForAgent,
  performForFlow,
} from '../authority/registry/in-session.ts'
import {
  type AgentState,
  checkAgentContract,
  dropAgentState,
  readAgentState,
  writeAgentState,
} from '../context/agent-state.ts'
import type { Artifact, Indexed } from '../context/artifact.ts'
import type { Owner } from '../context/artifact-keys.ts'
import {
  type ArtifactOptions,
  buildUnknownArtifactFailure,
  dropArtifact,
  type InTurns,
  putArtifact,
} from '../context/artifacts.ts'
import { type Explained, explain, type FlowExplanation } from '../context/explain.ts'
import type { GrammarRequest } from '../context/flow-grammar.ts'
import {
  addNote,
  type Note,
  type Noted,
  type NoteRange,
  readNotes,
  type StoredNote,
} from '../context/note.ts'
import {
  type DocumentSummary,
  type DocumentText,
  listDocuments,
  readDocument,
} from '../context/read-documents.ts'
import { type RefreshRequest, refreshContext } from '../context/refresh.ts'
import { searchArtifacts } from '../context/search-artifacts.ts'
import type { Context } from '../engine-context.ts'
import { buildOfferedGrammar } from '../flow/offered-grammar.ts'
import { listOfferedTools, type OfferedTool } from '../flow/offered-tools.ts'
import { awaitFlowOutcome, type FlowOutcome, type OutcomeOptions } from '../flow/settled.ts'
import { type Observation, type Observed, observe } from './observe.ts'
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
  readonly #wake: () => void

  /** `wake`: whoever looks for what is due looks again. */
  constructor(context: Context, asked: Asked, wake: () => void = () => {}) {
    this.#context = context
    this.#asked = asked
    this.#wake = wake
  }

  /** In the name of this process, unless somebody else asked it to. */
  observe(
    input: Observation | readonly Observation[],
    speaker: Speaker = { kind: 'process' },
  ): Promise<Result<readonly Observed[], Failure>> {
    return this.#asked(() => observe(this.#context, input, speaker, this.#wake))
  }

  note(dfid: string, note: Note, options: NoteOptions = {}): Promise<Result<Noted, Failure>> {
    const { by = 'agent' } = options
    return this.#asked(() =>
      performForFlow(this.#context, dfid, options, () => addNote(this.#context, dfid, note, by)),
    )
  }

  notes(
    dfid: string,
    options: InSession & NoteRange,
  ): Promise<Result<readonly StoredNote[], Failure>> {
    return this.#asked(() =>
      performForFlow(this.#context, dfid, options, () => readNotes(this.#context, dfid, options)),
    )
  }

  /** The agent's own account, for people. */
  explain(
    dfid: string,
    explanation: FlowExplanation,
    options: InSession = {},
  ): Promise<Result<Explained, Failure>> {
    return this.#asked(() =>
      performForFlow(this.#context, dfid, options, () => explain(this.#context, dfid, explanation)),
    )
  }

  /** A new context for an open flow; its next proposal refers to it. */
  refresh(
    dfid: string,
    options: RefreshRequest & InSession = {},
  ): Promise<Result<WorkingContext, Failure>> {
    return this.#asked(() =>
      performForFlow(this.#context, dfid, options, () =>
        refreshContext(this.#context, dfid, options),
      ),
    )
  }

  /** What may be proposed in a flow: contract ∩ writs ∩ registry, with the schemas of parameters. */
  listTools(
    dfid: string,
    options: InSession = {},
  ): Promise<Result<readonly OfferedTool[], Failure>> {
    return this.#asked(() =>
      performForFlow(this.#context, dfid, options, () => listOfferedTools(this.#context, dfid)),
    )
  }

  /** What a model may write for the flow, of the kinds that are named: the grammar that decoding is held to. */
  buildGrammar(
    dfid: string,
    request: GrammarRequest,
    options: InSession = {},
  ): Promise<Result<Grammar, Failure>> {
    return this.#asked(() =>
      performForFlow(this.#context, dfid, options, () =>
        buildOfferedGrammar(this.#context, dfid, request),
      ),
    )
  }

  /** What became of a flow's last proposal, waited for so long; without an answer where somebody still has to act. */
  awaitOutcome(dfid: string, options: OutcomeOptions = {}): Promise<Result<FlowOutcome, Failure>> {
    return this.#asked(() =>
      performForFlow(this.#context, dfid, options, () =>
        awaitFlowOutcome(this.#context, dfid, options),
      ),
    )
  }

  agentState(agent: string, options: InSession = {}): Promise<Result<AgentState | null, Failure>> {
    return this.#asked(() =>
      performForAgent(this.#context, agent, options, async () => ({
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
      performForAgent(this.#context, agent, options, () =>
        writeAgentState(this.#context, agent, value, expectedVersion),
      ),
    )
  }

  /** False: there was nothing to take out. */
  dropAgentState(agent: string, options: InSession = {}): Promise<Result<boolean, Failure>> {
    return this.#asked(() =>
      performForAgent(this.#context, agent, options, () => dropAgentState(this.#context, agent)),
    )
  }

  putArtifact(
    artifact: Artifact,
    { by = 'operator', ...turns }: ArtifactOptions = {},
  ): Promise<Result<Indexed, Failure>> {
    return this.#asked(() => putArtifact(this.#context, artifact, by, turns))
  }

  dropArtifact(name: string, turns: InTurns = {}): Promise<Result<void, Failure>> {
    return this.#asked(() => dropArtifact(this.#context, name, turns))
  }

  /** A document that an agent keeps for itself, by its own word: it finds it, and no other agent does. */
  putDocument(
    agent: string,
    { name, title, text }: Omit<Artifact, 'label'>,
    { pause, ...options }: InSession & InTurns = {},
  ): Promise<Result<Indexed, Failure>> {
    const place = { owner: agent, ...(pause === undefined ? {} : { pause }) }
    const document = { name, title, text }
    return this.#asked(() =>
      performForAgent(this.#context, agent, options, async () => {
        const problem = await checkAgentContract(this.#context, agent)
        return problem === null
          ? putArtifact(this.#context, document, 'agent', place)
          : err(problem)
      }),
    )
  }

  dropDocument(
    agent: string,
    name: string,
    { pause, ...options }: InSession & InTurns = {},
  ): Promise<Result<void, Failure>> {
    const place = { owner: agent, ...(pause === undefined ? {} : { pause }) }
    return this.#asked(() =>
      performForAgent(this.#context, agent, options, () =>
        dropArtifact(this.#context, name, place),
      ),
    )
  }

  /** The documents that an agent keeps for itself; null: those that all agents find. */
  documents(
    owner: Owner,
    options: InSession & { readonly after?: string; readonly limit: number },
  ): Promise<Result<readonly DocumentSummary[], Failure>> {
    const listOwned = async () => ok(await listDocuments(this.#context, owner, options))
    return this.#asked(() =>
      owner === null ? listOwned() : performForAgent(this.#context, owner, options, listOwned),
    )
  }

  /** One of them, in pieces from a place. */
  document(
    owner: Owner,
    name: string,
    { from = 0, ...options }: InSession & { readonly from?: number } = {},
  ): Promise<Result<DocumentText, Failure>> {
    const readOwned = async (): Promise<Result<DocumentText, Failure>> => {
      const found = await readDocument(this.#context, owner, name, from)
      return found === null ? err(buildUnknownArtifactFailure(name)) : ok(found)
    }
    return this.#asked(() =>
      owner === null ? readOwned() : performForAgent(this.#context, owner, options, readOwned),
    )
  }

  searchArtifacts(
    text: string,
    options: SearchOptions = {},
  ): Promise<Result<readonly ArtifactRef[], Failure>> {
    const { dfid } = options
    return this.#asked(async () => {
      if (dfid === undefined) return ok(await searchArtifacts(this.#context, text, null))
      return performForFlow(this.#context, dfid, options, () => this.#searchFor(dfid, text))
    })
  }

  /** The agent's own words are in the note, so that it carries the agent's label. */
  async #searchFor(dfid: string, text: string): Promise<Result<readonly ArtifactRef[], Failure>> {
    const agent = (await this.#context.store.readFlow(dfid))?.agent_id ?? null
    const found = await searchArtifacts(this.#context, text, agent)
    const places = found.map(({ artifact, chunk }) => `${artifact}#${chunk}`).join(', ')
    const note = `looked for "${text}", found ${places === '' ? 'nothing' : places}`
    const noted = await addNote(this.#context, dfid, { text: note }, 'agent')
    return noted.ok ? { ok: true, value: found } : noted
  }
}
