/** Above every page of a process that decides nothing, because its rules are not those in force. */
import type { ReactNode } from 'react'
import type { RulesState } from 'rubicon-agents/client'
import { useLookAgain } from '../api/use-look-again.ts'
import { useReply } from '../api/use-reply.ts'
import { Copy } from '../parts/id.tsx'
import { Link } from '../url/link.tsx'
import './rules-note.css'

const LOOK_MS = 30_000

export function RulesNote(): ReactNode {
  const { reply, again } = useReply('standing', (client, signal) => client.getStanding({ signal }))
  useLookAgain(again, LOOK_MS)
  if (reply.state !== 'ready' || reply.value.kind === 'in_force') return null
  const { changes, acceptance } = reply.value
  const agree = acceptance === null ? null : `--accept-rules ${acceptance}`
  return (
    <div className="rules-note" role="alert">
      <strong>✖ This process makes no decisions:</strong> its rules differ from those in force (
      {formatChanges(changes)}). <Link href="/policies?rules=law">See them</Link>
      {agree === null ? '.' : ', or accept them: start it with '}
      {agree === null ? null : (
        <>
          <code>{agree}</code> <Copy value={agree} what="copy the option" />
        </>
      )}
    </div>
  )
}

const NAMED = 3

function formatChanges(changes: RulesState['changes']): string {
  const named = changes
    .slice(0, NAMED)
    .map(({ what, name, change }) => `${what} \`${name}\` ${change}`)
  const more = changes.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
