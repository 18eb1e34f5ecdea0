/** From which authority entry on nobody can trust a key. What that does is said before. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { KeyRecord } from 'rubicon-agents/client'
import { Failed } from '../../../parts/outcomes.tsx'
import { useDeed } from '../use-deed.ts'

export function CompromiseForm({
  record: { key_id, subject, added_seq },
  done,
}: {
  readonly record: KeyRecord
  readonly done: () => void
}): ReactNode {
  const { busy, problem, perform } = useDeed()
  const [since, setSince] = useState(String(added_seq))
  const [typed, setTyped] = useState('')
  const isReady = /^\d{1,15}$/.test(since) && typed === subject
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady) return
    const body = { since_seq: Number(since) }
    const said = await perform((client, key) =>
      client.compromiseKey({ params: { id: key_id }, body, key }),
    )
    if (said !== null) done()
  }
  return (
    <form className="stack settings-form" onSubmit={send}>
      <ul className="stack">
        <li>Everything that it signed from that entry on is invalid, also what is done already.</li>
        <li>Verifiers find such signatures in the ledger from now on. Nothing is taken back.</li>
        <li>Sessions that were opened with it end. It cannot be undone.</li>
      </ul>
      <label>
        First authority entry that cannot be trusted; its registration was entry {added_seq}
        <input
          inputMode="numeric"
          value={since}
          onChange={(event) => setSince(event.target.value)}
        />
      </label>
      <label>
        <span>
          Type <strong className="mono">{subject}</strong> to confirm
        </span>
        <input value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p>
        <button type="submit" className="danger" disabled={!isReady || busy}>
          {busy ? 'Sending…' : 'Mark compromised'}
        </button>
      </p>
    </form>
  )
}
