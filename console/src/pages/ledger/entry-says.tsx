/** What an entry says, by its kind. */
import type { ReactNode } from 'react'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Term } from '../../parts/term/term.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { ENTRY_SHAPES, type ShownAs, type ShownField } from './entry-shape.ts'
import { parseAt } from './parse-at.ts'

export function EntrySays({
  kind,
  payload,
}: {
  readonly kind: string
  readonly payload: unknown
}): ReactNode {
  if (payload === null)
    return (
      <p className="quiet">
        The <Term word="payload" /> was erased or archived. Its hash remains.
      </p>
    )
  const shape = Object.entries(ENTRY_SHAPES).find(([known]) => known === kind)?.[1]
  // A newer server may write kinds that this page does not know.
  if (shape === undefined) return <Json value={payload} open label="payload" />
  const found = shape.flatMap((said) => {
    const value = parseAt(payload, said.path)
    return value === undefined || value === null ? [] : [{ said, value }]
  })
  return (
    <div className="stack">
      <Members>
        {found.filter(isShort).map(({ said, value }) => (
          <Member key={said.path} name={said.name}>
            {renderValue(said.as, value)}
          </Member>
        ))}
      </Members>
      {found
        .filter((one) => !isShort(one))
        .map(({ said, value }) => (
          <Json key={said.path} value={value} label={said.name} />
        ))}
      <Json value={payload} label="whole payload" />
    </div>
  )
}

function isShort({ said }: { readonly said: ShownField }): boolean {
  return said.as !== 'json'
}

function renderValue(as: ShownAs, value: unknown): ReactNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  switch (as) {
    case 'id':
      return <Id value={toVisibleText(text)} />
    case 'flow':
      return <Id value={toVisibleText(text)} href={`/flows/${encodeURIComponent(text)}`} />
    case 'agent':
      return <Link href={`/agents/${encodeURIComponent(text)}`}>{toVisibleText(text)}</Link>
    case 'code':
      return <ReasonLink code={text} />
    case 'when':
      return <When at={text} />
    case 'claim':
      return <AgentText text={text} />
    default:
      return toVisibleText(text)
  }
}
