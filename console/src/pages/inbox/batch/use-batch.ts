/** Several requests on their way to a decision: read, shown, decided one by one, and what became of each. */
import { useEffect, useState } from 'react'
import type { AnyProblem, Client, EscalationBrief, PreviewRow } from 'rubicon-agents/client'
import { createIdempotencyKey, useClient } from '../../../api/session.tsx'
import { useToast } from '../../../parts/toast.tsx'
import { type BatchWord, findBatchObstacle } from './batch-obstacle.ts'
import { type BatchResult, type BatchServer, decideEach, type Sent } from './decide-each.ts'

export type BatchItem = {
  readonly brief: EscalationBrief
  /** Why it is not decided here; null: it is. */
  readonly obstacle: string | null
}

export type Batch = {
  readonly word: BatchWord
  readonly phase: 'reading' | 'asking' | 'running' | 'done'
  /** Null: they are being read. */
  readonly items: readonly BatchItem[] | null
  readonly problem: AnyProblem | null
  readonly results: ReadonlyMap<string, BatchResult>
  readonly decide: (reason: string) => void
  /** Shows those that moved as they are now. */
  readonly review: () => void
  /** Goes on where no answer came. */
  readonly resume: () => void
  readonly stop: () => void
}

export function useBatch(ids: readonly string[], word: BatchWord, decided: () => void): Batch {
  const client = useClient()
  const toast = useToast()
  const [wanted, want] = useState(ids)
  const { items, problem } = useBatchItems(wanted, word)
  const [results, setResults] = useState<ReadonlyMap<string, BatchResult>>(new Map())
  const [phase, setPhase] = useState<'asking' | 'running' | 'done'>('asking')
  const run = useRun()
  const begin = async (shown: readonly EscalationBrief[]): Promise<void> => {
    // A second press of the same button is not a second run.
    if (run.isRunning) return
    run.isRunning = true
    run.stopped = false
    setPhase('running')
    let count = 0
    const tell = (id: string, result: BatchResult): void => {
      if (result.kind === 'decided') count += 1
      setResults((before) => new Map(before).set(id, result))
    }
    const { unheard, made, reason } = run
    const isStopped = (): boolean => run.stopped
    const task = { word, reason, shown, unheard, made, tell, isStopped }
    await decideEach(createBatchServer(client), task)
    run.isRunning = false
    setPhase('done')
    decided()
    // Whoever closed the dialog meanwhile reads it elsewhere.
    if (isStopped()) toast({ text: `${count} of ${shown.length} decided; the rest were not sent.` })
  }
  const listDecidable = (): readonly EscalationBrief[] =>
    (items ?? []).flatMap(({ brief, obstacle }) => (obstacle === null ? [brief] : []))
  return {
    ...{ word, phase: items === null ? 'reading' : phase, items, problem, results },
    decide(reason) {
      if (phase !== 'asking') return
      run.reason = reason
      void begin(listDecidable())
    },
    review() {
      // What it showed is what is shown anew: nothing that was made before is expected any more.
      run.made = []
      want([...results].flatMap(([id, { kind }]) => (kind === 'moved' ? [id] : [])))
      setResults(new Map())
      setPhase('asking')
    },
    resume() {
      const isOpen = (id: string): boolean => (results.get(id)?.kind ?? 'unheard') === 'unheard'
      void begin(listDecidable().filter(({ id }) => isOpen(id)))
    },
    stop() {
      run.stopped = true
    },
  }
}

function useRun(): Run {
  const [run] = useState(
    (): Run => ({ unheard: new Map(), made: [], reason: '', stopped: false, isRunning: false }),
  )
  useEffect(() => {
    // What nobody sees any more is not decided any further.
    return () => {
      run.stopped = true
    }
  }, [run])
  return run
}

function createBatchServer(client: Client): BatchServer {
  return {
    readBrief: (id) => client.getEscalationBrief({ params: { id } }),
    decide: (id, sent) => client.decideEscalation({ params: { id }, ...sent }),
    createKey: createIdempotencyKey,
  }
}

type ShownItems = Pick<Batch, 'items' | 'problem'>

/** As they are when they are asked for: what is on the screen stays until others are. */
function useBatchItems(wanted: readonly string[], word: BatchWord): ShownItems {
  const client = useClient()
  const [held, hold] = useState<ShownItems & { readonly of: readonly string[] }>()
  useEffect(() => {
    const leaving = new AbortController()
    void readBriefs(client, wanted, leaving.signal).then(({ briefs, problem }) => {
      if (leaving.signal.aborted) return
      const items = briefs.map((brief) => ({ brief, obstacle: findBatchObstacle(brief, word) }))
      hold({ of: wanted, items, problem })
    })
    return () => leaving.abort()
  }, [client, wanted, word])
  return held?.of === wanted ? held : { items: null, problem: null }
}

type Run = {
  readonly unheard: Map<string, Sent>
  made: PreviewRow[]
  reason: string
  stopped: boolean
  isRunning: boolean
}

/** Read at once; more would keep others waiting. */
const READ_TOGETHER = 4

type ReadBriefs = {
  readonly briefs: readonly EscalationBrief[]
  /** Of one that could not be read: it is not among them. */
  readonly problem: AnyProblem | null
}

async function readBriefs(
  client: Client,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadBriefs> {
  const briefs: EscalationBrief[] = []
  let problem: AnyProblem | null = null
  for (let at = 0; at < ids.length && !signal.aborted; at += READ_TOGETHER) {
    const some = ids.slice(at, at + READ_TOGETHER)
    const answers = await Promise.all(
      some.map((id) => client.getEscalationBrief({ params: { id }, signal })),
    )
    for (const answer of answers) {
      if (answer.ok) briefs.push(answer.body)
      else problem = answer.problem
    }
  }
  return { briefs, problem }
}
