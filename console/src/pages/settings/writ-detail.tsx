/** One writ: what it allows, what it narrows, and what narrows it. */
import type { ReactNode } from 'react'
import type { Writ } from 'rubicon-agents/client'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Id, shortenId } from '../../parts/id.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Amount } from '../../parts/value.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { toSettingHref } from './admin-list.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { LookOnly, useIsOperator } from './operators-only.tsx'
import { parseWrit } from './writ-body.ts'
import { WritStanding } from './writ-standing.tsx'

export function WritDetail({
  writ,
  writs,
  changed,
}: {
  readonly writ: Writ
  readonly writs: readonly Writ[]
  readonly changed: () => void
}): ReactNode {
  const isOperator = useIsOperator()
  const { subject, audience, kinds, budget, from, until, mayDelegate } = parseWrit(writ)
  const chain = listChain(writ, writs)
  const children = writs.filter((one) => parseWrit(one).parent === writ.id)
  return (
    <div className="stack settings-detail">
      <header className="row">
        <h2>{subject}</h2>
        <WritStanding writ={writ} />
      </header>
      {isOperator && !writ.revoked ? (
        <WritDeeds writ={writ} below={children.length} changed={changed} />
      ) : null}
      {isOperator ? null : <LookOnly />}
      <Members>
        <Member name="id">
          <Id value={writ.id} whole />
        </Member>
        <Member name="counts for">{audience}</Member>
        <Member name="kinds">{kinds.join(', ') || 'none'}</Member>
        <Member name="at most">
          {budget.length === 0
            ? 'no budget of its own'
            : budget.map(([name, amount]) => (
                <div key={name}>
                  {name} <Amount value={amount} />
                </div>
              ))}
        </Member>
        <Member name="valid">
          <When at={from} /> until <When at={until} />
        </Member>
        <Member name="handed on">{mayDelegate ? 'it may be narrowed for others' : 'no'}</Member>
        <Member name="signed by">
          <Id value={writ.signature.key_id} href={toSettingHref('keys', writ.signature.key_id)} />
        </Member>
      </Members>
      <section>
        <h3>Chain</h3>
        <ol className="settings-steps">
          {chain.map((one) => (
            <li key={one.id}>
              <div>
                <WritLink writ={one} isOpen={one.id === writ.id} />
                <span className="quiet small"> {parseWrit(one).kinds.join(', ')}</span>
              </div>
            </li>
          ))}
        </ol>
        {children.length === 0 ? null : (
          <p>
            Narrowed to:{' '}
            {children.map((one) => (
              <span key={one.id}>
                <WritLink writ={one} isOpen={false} />{' '}
              </span>
            ))}
          </p>
        )}
      </section>
    </div>
  )
}

function WritLink({ writ, isOpen }: { readonly writ: Writ; readonly isOpen: boolean }): ReactNode {
  const text = `${parseWrit(writ).subject} ${shortenId(writ.id)}`
  return isOpen ? (
    <strong>{text}</strong>
  ) : (
    <Link href={toSettingHref('writs', writ.id)}>{text}</Link>
  )
}

/** From the first one on; what is not listed here is not shown. */
export function listChain(writ: Writ, writs: readonly Writ[]): readonly Writ[] {
  const chain: Writ[] = []
  for (let one: Writ | undefined = writ; one !== undefined && !chain.includes(one); ) {
    chain.unshift(one)
    const { parent } = parseWrit(one)
    one = writs.find(({ id }) => id === parent)
  }
  return chain
}

function WritDeeds({
  writ: { id },
  below,
  changed,
}: {
  readonly writ: Writ
  readonly below: number
  readonly changed: () => void
}): ReactNode {
  return (
    <div className="row">
      <FieldDialog
        word="Narrow"
        explains="A writ under this one, with some of its kinds or a shorter time."
        fields={[
          { name: 'agent', label: 'Agent that gets it' },
          {
            name: 'kinds',
            label: 'Only these kinds, separated by commas (optional)',
            optional: true,
          },
          { name: 'hours', label: 'Hours that it is valid (optional)', optional: true },
        ]}
        ask={(client, { agent = '', kinds = '', hours = '' }, key) => {
          const named = kinds.split(',').map((kind) => kind.trim())
          const body = {
            agent,
            parent: id,
            ...(kinds.trim() === '' ? {} : { kinds: named }),
            ...(hours.trim() === '' ? {} : { hours: Number(hours) }),
          }
          return client.issueWrit({ body, key })
        }}
        done={changed}
      />
      <ConfirmButton
        word="Revoke"
        title="Revoke the writ"
        hasReason
        means={[
          'It allows nothing from now on, and nothing can be opened under it.',
          below === 0
            ? 'No writ was issued under it here.'
            : `${below} writs under it end with it.`,
          'What was sent already is not undone. It cannot be taken back: issue another.',
        ]}
        ask={(client, key, reason) => client.revokeWrit({ params: { id }, body: { reason }, key })}
        done={changed}
      />
    </div>
  )
}
