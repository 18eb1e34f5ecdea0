/**
 * Several requests of low impact, decided with one reason. Each stands there as it would run, with what all of them
 * come to; then each has its own answer.
 */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isBlank } from 'rubicon-kernel'
import { Dialog } from '../../../parts/dialog.tsx'
import { Failed, Loading } from '../../../parts/outcomes.tsx'
import { BatchItemView } from './batch-item.tsx'
import type { BatchWord } from './batch-obstacle.ts'
import { BatchResults } from './batch-results.tsx'
import { StakeSumsLine } from './stake-sums-line.tsx'
import { sumStakes } from './sum-stakes.ts'
import { type Batch, type BatchItem, useBatch } from './use-batch.ts'
import './batch.css'

export type BatchAsked = { readonly ids: readonly string[]; readonly word: BatchWord }

export function BatchDialog({
  asked,
  close,
  decided,
}: {
  /** Null: nothing is asked. */
  readonly asked: BatchAsked | null
  readonly close: () => void
  /** Some were decided: the list is another. */
  readonly decided: () => void
}): ReactNode {
  const title = asked?.word === 'ABORT' ? 'Reject together' : 'Approve together'
  return (
    <Dialog title={title} open={asked !== null} close={close}>
      {asked === null ? null : <BatchBody asked={asked} close={close} decided={decided} />}
    </Dialog>
  )
}

function BatchBody({
  asked: { ids, word },
  close,
  decided,
}: {
  readonly asked: BatchAsked
  readonly close: () => void
  readonly decided: () => void
}): ReactNode {
  const batch = useBatch(ids, word, decided)
  const { phase, items } = batch
  if (phase === 'reading' || items === null) return <Loading what="the requests" shape="detail" />
  if (phase === 'asking') return <BatchForm batch={batch} items={items} />
  return <BatchResults batch={batch} items={items} close={close} />
}

const DEEDS = { OVERRIDE: 'Approve', ABORT: 'Reject' } as const

function BatchForm({
  batch,
  items,
}: {
  readonly batch: Batch
  readonly items: readonly BatchItem[]
}): ReactNode {
  const { word, problem } = batch
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const wanted = items.filter(({ obstacle }) => obstacle === null)
  const left = items.filter(({ obstacle }) => obstacle !== null)
  const isReady = wanted.length > 0 && !isBlank(reason)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady) batch.decide(reason)
  }
  return (
    <form className="stack" onSubmit={submit}>
      {problem === null ? null : <Failed problem={problem} />}
      <p>
        {wanted.length === 0 ? (
          'None of these can be decided together.'
        ) : (
          <>
            <strong>{formatRequests(wanted.length)}</strong>, together{' '}
            <StakeSumsLine sums={sumStakes(wanted.map(({ brief }) => brief))} />.
          </>
        )}{' '}
        {word === 'ABORT' ? 'Their flows end, and nothing is sent.' : null}
      </p>
      <ol className="batch-items" aria-label="what is decided">
        {wanted.map(({ brief }) => (
          <BatchItemView key={brief.id} brief={brief} word={word} />
        ))}
      </ol>
      {left.length === 0 ? null : (
        <section className="stack" aria-label="not decided here">
          <h3>Not decided here: {left.length}</h3>
          <ul className="batch-items">
            {left.map(({ brief, obstacle }) => (
              <BatchItemView key={brief.id} brief={brief} word={word} obstacle={obstacle} />
            ))}
          </ul>
        </section>
      )}
      <div className="batch-send stack">
        <label className="decision-param">
          <span>your reason, for each of them</span>
          <input
            ref={field}
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <p className="row">
          <button
            type="submit"
            className={word === 'ABORT' ? 'danger' : 'main'}
            title={`${word} in the ledger, for each of them`}
            disabled={!isReady}
          >
            {DEEDS[word]} {wanted.length}
          </button>
          <span className="quiet small">
            Each is decided by itself, as it stands here, under the same rules as one.
          </span>
        </p>
      </div>
    </form>
  )
}

function formatRequests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`
}
