/** An operator stops an agent, lets it go again, or ends it. What stops is said before it stops. */
import type { ReactNode } from 'react'
import type { AgentDetail, MoveAgentAsked } from 'rubicon-agents/client'
import { useKeys } from '../../keys/keys.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type Toast, useToast } from '../../parts/toast.tsx'
import { useQuery } from '../../url/location.ts'
import { MoveForm } from './move-form.tsx'
import { SpawnInstance } from './spawn-instance.tsx'

export type MoveTo = MoveAgentAsked['body']['to']

const FROM: ReadonlyMap<string, readonly MoveTo[]> = new Map([
  ['INITIALIZING', ['SUSPENDED', 'RETIRED']],
  ['ACTIVE', ['SUSPENDED', 'RETIRED']],
  ['ESCALATED', ['SUSPENDED', 'RETIRED']],
  ['SUSPENDED', ['ACTIVE', 'RETIRED']],
])

const WORDS: Readonly<Record<MoveTo, string>> = {
  SUSPENDED: 'Suspend',
  ACTIVE: 'Reactivate',
  RETIRED: 'Retire',
}

export function MoveButtons({
  agent,
  changed,
}: {
  readonly agent: AgentDetail
  readonly changed: () => void
}): ReactNode {
  const [named, setNamed] = useQuery('do')
  const moves = FROM.get(agent.status) ?? []
  const to = moves.find((move) => WORDS[move].toLowerCase() === named) ?? null
  const setTo = (move: MoveTo): void => setNamed(WORDS[move].toLowerCase())
  useKeys(
    moves.includes('SUSPENDED')
      ? [{ keys: 's', does: 'suspend the agent', run: () => setTo('SUSPENDED') }]
      : [],
  )
  const toast = useToast()
  const close = (): void => setNamed('')
  const handleDone = (): void => {
    if (to !== null) toast(describeMoved(agent.agent_id, to))
    close()
    changed()
  }
  return (
    <div className="row">
      {moves.map((move) => (
        <button key={move} type="button" onClick={() => setTo(move)}>
          {WORDS[move]}…
        </button>
      ))}
      <SpawnInstance agent={agent} changed={changed} />
      {moves.length === 0 ? <span className="quiet">It is retired for good.</span> : null}
      <Dialog
        title={`${to === null ? 'Move' : WORDS[to]} ${agent.agent_id}`}
        open={to !== null}
        close={close}
      >
        {to === null ? null : <MoveForm agent={agent} to={to} word={WORDS[to]} done={handleDone} />}
      </Dialog>
    </div>
  )
}

/** A suspension is taken back with a reason, which is asked for there. */
function describeMoved(agent: string, to: MoveTo): Toast {
  if (to === 'ACTIVE') return { text: `${agent} is active again.` }
  if (to === 'RETIRED') return { text: `${agent} is retired.` }
  const href = `/agents/${encodeURIComponent(agent)}?do=reactivate`
  return { text: `${agent} is suspended.`, look: { label: 'Reactivate…', href } }
}
