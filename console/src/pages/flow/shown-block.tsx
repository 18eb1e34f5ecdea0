/** What the agent had in front of it when it made its proposal. */
import type { ReactNode } from 'react'
import type { JsonValue } from 'rubicon-kernel'
import { AgentText } from '../../parts/agent-text.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Amount } from '../../parts/value.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { AccountBlock } from './account-block.tsx'
import type { BlockProps } from './account-blocks.tsx'
import { parseObject } from './entry-payload.ts'

/** Of each list; all of it stands in the snapshot. */
const MOST = 12

export function ShownBlock({ account: { shown }, linked }: BlockProps): ReactNode {
  if (shown === null)
    return (
      <AccountBlock number={1} title="Shown to the agent" entry={null} linked={linked}>
        <p className="quiet">What it was shown is not in these entries.</p>
      </AccountBlock>
    )
  const { entry, snapshot } = shown
  const { trigger, state, world, policy_kinds, trimmed } = snapshot
  const facts = listRows(state)
  const things = listRows(world)
  return (
    <AccountBlock number={1} title="Shown to the agent" entry={entry} linked={linked}>
      <Members>
        <Member name="trigger">
          <AgentText text={typeof trigger === 'string' ? trigger : ''} />
        </Member>
        {facts.slice(0, MOST).map((fact) => (
          <Fact key={String(fact.path)} fact={fact} />
        ))}
        {things.slice(0, MOST).map(({ kind, id, value }) => (
          <Member key={`${kind} ${id}`} name={toVisibleText(`${kind} ${id}`)}>
            <Amount value={value} />
          </Member>
        ))}
        <Member name="could do">
          {Array.isArray(policy_kinds)
            ? policy_kinds.map(String).map(toVisibleText).join(', ')
            : ''}
        </Member>
        <Member name="besides">
          {describeLayers(snapshot)}
          {trimmed === undefined ? '' : '; some of it was left out for want of room'}
        </Member>
      </Members>
      {facts.length > MOST || things.length > MOST ? (
        <p className="quiet small">There is more; all of it is below.</p>
      ) : null}
      <Json value={snapshot} label="all of it, as recorded" />
    </AccountBlock>
  )
}

type Row = Readonly<Partial<Record<string, JsonValue>>>

/** A fact with its source and the moment it was seen. */
function Fact({
  fact: { path, value, source, label, observed_at },
}: {
  readonly fact: Row
}): ReactNode {
  return (
    <Member name={toVisibleText(String(path))}>
      <Amount value={value} />{' '}
      <span className="quiet small">
        {typeof source === 'string' ? toVisibleText(source) : ''}
        {typeof label === 'string' ? `, ${toVisibleText(label)}` : ''}
        {typeof observed_at === 'string' ? (
          <>
            , <When at={observed_at} />
          </>
        ) : null}
      </span>
    </Member>
  )
}

const LAYERS: readonly (readonly [string, string, string])[] = [
  ['session', 'note of this flow', 'notes of this flow'],
  ['memory', 'earlier decision', 'earlier decisions'],
  ['artifacts', 'document', 'documents'],
]

function describeLayers(snapshot: Row): string {
  const said = LAYERS.flatMap(([name, one, many]) => {
    const count = listRows(snapshot[name]).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
  return said.length === 0 ? 'nothing' : said.join(', ')
}

function listRows(value: JsonValue | undefined): readonly Row[] {
  return Array.isArray(value) ? value.map((row) => parseObject(row)) : []
}
