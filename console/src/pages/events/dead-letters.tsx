/** Messages to other processes that the bus did not take. An operator has them sent again. */
import type { ReactNode } from 'react'
import type { BusLetter } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { useDeed } from '../../api/use-deed.ts'
import { useReply } from '../../api/use-reply.ts'
import { Id } from '../../parts/id.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import './dead-letters.css'

/** Whoever decides requests has no part in it. */
export function DeadLetters(): ReactNode {
  const { roles } = useSession().session
  const mayLook = roles.includes('operator') || roles.includes('auditor')
  return mayLook ? <Letters maySend={roles.includes('operator')} /> : null
}

function Letters({ maySend }: { readonly maySend: boolean }): ReactNode {
  const { reply, again } = useReply('dead letters', (client, signal) =>
    client.listDeadLetters({ query: {}, signal }),
  )
  // Nearly always there are none, and nobody waits for that.
  if (reply.state === 'loading') return null
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const { letters, next } = reply.value
  if (letters.length === 0) return null
  return (
    <section className="stack dead-letters" aria-label="not delivered">
      <h2>Not delivered</h2>
      <p className="quiet small">
        Messages to other processes that were tried {letters[0]?.attempts} times. What they tell of
        is in the ledger: nothing is lost, others hear of it late.
      </p>
      <Table columns={['topic', 'flow', 'problem']} hasAction={maySend}>
        <tbody>
          {letters.map((letter) => (
            <tr key={letter.id}>
              <td className="wrap">{toVisibleText(letter.topic)}</td>
              <td>
                <Id value={letter.dfid} href={`/flows/${letter.dfid}`} />
              </td>
              <td className="wrap">{toVisibleText(letter.problem ?? 'not known')}</td>
              {maySend ? (
                <td>
                  <SendAgain letter={letter} sent={again} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </Table>
      {next === null ? null : <p className="quiet small">There are more: these come first.</p>}
    </section>
  )
}

function SendAgain({
  letter: { id, topic },
  sent,
}: {
  readonly letter: BusLetter
  readonly sent: () => void
}): ReactNode {
  const { busy, problem, perform } = useDeed()
  const toast = useToast()
  const send = async (): Promise<void> => {
    const answer = await perform((client) => client.replayDeadLetter({ params: { id }, body: {} }))
    if (answer === null) return
    toast({ text: 'It is sent again.' })
    sent()
  }
  return (
    <>
      <button
        type="button"
        disabled={busy}
        aria-label={`Send ${toVisibleText(topic)} again`}
        onClick={() => void send()}
      >
        {busy ? 'Sending…' : 'Send again'}
      </button>
      {problem === null ? null : <Failed problem={problem} />}
    </>
  )
}
