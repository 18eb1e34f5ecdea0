/** An atom: what it settles, until when, what it was used for, and which checks were asked again. */
import type { ReactNode } from 'react'
import { Id } from '../../parts/id.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import type { AtomAccount, AtomCheck, AtomUse } from './atom-account.ts'
import './checked-steps.css'

export function AtomViews({ atoms }: { readonly atoms: readonly AtomAccount[] }): ReactNode {
  if (atoms.length === 0) return null
  return (
    <section className="stack">
      <h2>Settled before the agent decided</h2>
      {atoms.map((atom) => (
        <AtomView key={atom.atom_id} atom={atom} />
      ))}
    </section>
  )
}

function AtomView({ atom }: { readonly atom: AtomAccount }): ReactNode {
  const { atom_id, policy_kinds, covers, issued_at, expires_at, reserved, grounds, uses } = atom
  return (
    <section className="checked">
      <h3 className="row">
        Atom <Id value={toVisibleText(atom_id)} />
      </h3>
      <Members>
        <Member name="may decide about">{policy_kinds.map(toVisibleText).join(', ')}</Member>
        <Member name="settles a part of">{covers.map(toVisibleText).join(', ')}</Member>
        <Member name="issued">
          <When at={issued_at} />
        </Member>
        <Member name="expires">
          <When at={expires_at} />, or with its first dispatch
        </Member>
        {reserved.length === 0 ? null : (
          <Member name="reserves">
            {reserved.map(([measure, amount]) => `${toVisibleText(measure)} ${amount}`).join(', ')}
          </Member>
        )}
        <Member name="stands on">
          <span className="row small">
            {grounds.map(([name, value]) => (
              <span key={name}>
                {name} <Id value={toVisibleText(value)} />
              </span>
            ))}
          </span>
        </Member>
      </Members>
      {uses.length === 0 ? <p className="quiet">No proposal has named it.</p> : null}
      {uses.map((use) => (
        <Use key={use.attempt} use={use} />
      ))}
    </section>
  )
}

const USED: Readonly<Record<AtomUse['outcome'], StatusProps>> = {
  accepted: { standing: 'allowed', word: 'used' },
  rejected: { standing: 'rejected', word: 'not used: refused' },
  escalated: { standing: 'waiting', word: 'not used: a person decides' },
}

function Use({ use: { attempt, outcome, code, checks } }: { readonly use: AtomUse }): ReactNode {
  return (
    <>
      <p className="row">
        <span>attempt {attempt}</span>
        <Status {...USED[outcome]} />
        {code === null ? null : <ReasonLink code={code} />}
      </p>
      <ul className="checked-steps" aria-label={`checks of attempt ${attempt} under the atom`}>
        {checks.map((check) => (
          <li key={check.stage} className="row small">
            <span>{toVisibleText(check.stage)}</span>
            <Status {...describeCheck(check)} />
          </li>
        ))}
      </ul>
    </>
  )
}

function describeCheck({ said, because }: AtomCheck): StatusProps {
  switch (said) {
    case 'settled':
      return {
        standing: 'allowed',
        word: 'its part is settled by the atom, and was not asked again',
      }
    case 'asked again':
      return {
        standing: 'waiting',
        word: because.length === 0 ? 'asked again' : `asked again: ${because.join(', ')}`,
      }
    default:
      return { standing: 'repeated', word: 'not reached' }
  }
}
