/** From which authority entry on nobody can trust a key. What that does is said before. */
import { type ReactNode, useState } from 'react'
import type { KeyRecord } from 'rubicon-agents/client'
import { useDeed } from '../../../api/use-deed.ts'
import { ConfirmForm } from '../../../parts/confirm-form.tsx'

export function CompromiseForm({
  record: { key_id, subject, added_seq },
  done,
}: {
  readonly record: KeyRecord
  readonly done: () => void
}): ReactNode {
  const deed = useDeed()
  const [since, setSince] = useState(String(added_seq))
  const send = async (): Promise<void> => {
    const body = { since_seq: Number(since) }
    const said = await deed.perform((client, key) =>
      client.compromiseKey({ params: { id: key_id }, body, key }),
    )
    if (said !== null) done()
  }
  return (
    <ConfirmForm
      word="Mark compromised"
      means={MEANS}
      name={subject}
      isFilled={/^\d{1,15}$/.test(since)}
      deed={deed}
      send={send}
    >
      <label>
        First authority entry that cannot be trusted; its registration was entry {added_seq}
        <input
          inputMode="numeric"
          value={since}
          onChange={(event) => setSince(event.target.value)}
        />
      </label>
    </ConfirmForm>
  )
}

const MEANS: readonly string[] = [
  'Everything that it signed from that entry on is invalid, also what is done already.',
  'Verifiers find such signatures in the ledger from now on. Nothing is taken back.',
  'Sessions that were opened with it end. It cannot be undone.',
]
