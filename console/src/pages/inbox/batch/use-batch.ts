/** Several requests on their way to a decision: read, shown, decided one by one, and what became of each. */
import { useEffect, useRef, useState } from 'react'
import type { AnyProblem, Client, EscalationBrief, PreviewRow } from 'rubicon-agents/client'
import { createIdempotencyKey, useClient } from '../../../api/session.tsx'
import { useToast } from '../../../parts/toast.tsx'
import { type BatchWord, findBatchObstacle } from './batch-obstacle.ts'
import { type BatchResult, decideEach, type Sent } from './decide-each.ts'

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

/** Read at once; more would keep others waiting. */
const READ_TOGETHER = 4

export function useBatch(ids: readonly string[], word: BatchWord, decided: () => void): Batch {
  const client = useClient()
  const toast = useToast()
  const [wanted, want] = useState(ids)
  const [items, setItems] = useState<readonly BatchItem[] | null>(null)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const [results, setResults] = useState<ReadonlyMap<string, BatchResult>>(new Map())
  const [phase, setPhase] = useState<Batch['phase']>('reading')
  const run = useRef<Run>({
    unheard: new Map(),
    made: [],
    reason: '',
    stopped: false,
    isRunning: false,
  })
  useEffect(() => {
    const leaving = new AbortController()
    setItems(null)
    setPhase('reading')
    void readBriefs(client, wanted, leaving.signal).then((read) => {
      if (leaving.signal.aborted) return
      setProblem(read.problem)
      setItems(read.briefs.map((brief) => ({ brief, obstacle: findBatchObstacle(brief, word) })))
      setPhase('asking')
    })
    return () => leaving.abort()
  }, [client, wanted, word])
  useEffect(() => {
    const { current } = run
    // What nobody sees any more is not decided any further.
    return () => {
      current.stopped = true
    }
  }, [])
  const begin = async (shown: readonly EscalationBrief[]): Promise<void> => {
    // A second press of the same button is not a second run.
    if (run.current.isRunning) return
    run.current.isRunning = true
    run.current.stopped = false
    setPhase('running')
    const server = {
      readBrief: (id: string) => client.getEscalationBrief({ params: { id } }),
      decide: (id: string, sent: Sent) => client.decideEscalation({ params: { id }, ...sent }),
      createKey: createIdempotencyKey,
    }
    let count = 0
    const tell = (id: string, result: BatchResult): void => {
      if (result.kind === 'decided') count += 1
      setResults((before) => new Map(before).set(id, result))
    }
    const { unheard, made, reason } = run.current
    const isStopped = (): boolean => run.current.stopped
    await decideEach(server, { word, reason, shown, unheard, made, tell, isStopped })
    run.current.isRunning = false
    setPhase('done')
    decided()
    // Whoever closed the dialog meanwhile reads it elsewhere.
    if (isStopped()) toast({ text: `${count} of ${shown.length} decided; the rest were not sent.` })
  }
  const listDecidable = (): readonly EscalationBrief[] =>
    (items ?? []).flatMap(({ brief, obstacle }) => (obstacle === null ? [brief] : []))
  return {
    ...{ word, phase, items, problem, results },
    decide(reason) {
      if (phase !== 'asking') return
      run.current.reason = reason
      void begin(listDecidable())
    },
    review() {
      const moved = [...results].flatMap(([id, { kind }]) => (kind === 'moved' ? [id] : []))
      // What it showed is what is shown anew: nothing that was made before is expected any more.
      run.current.made = []
      setResults(new Map())
      want(moved)
    },
    resume() {
      if (phase !== 'done') return
      const open = (id: string): boolean => (results.get(id)?.kind ?? 'unheard') === 'unheard'
      void begin(listDecidable().filter(({ id }) => open(id)))
    },
    stop() {
      run.current.stopped = true
    },
  }
}

type Run = {
  readonly unheard: Map<string, Sent>
  made: PreviewRow[]
  reason: string
  stopped: boolean
  isRunning: boolean
}

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
