/** An operator agrees to a tool as it is shown. What they typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { ApproveMcpToolAsked, McpTool } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../../api/use-deed.ts'
import { useKeys } from '../../keys/keys.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { sendFormOnKeys } from '../../parts/send-form.ts'

type ClassName = NonNullable<ApproveMcpToolAsked['body']['class']>

const CLASSES: Readonly<Record<ClassName, string>> = {
  read: 'It changes nothing',
  write: 'It changes what somebody can repair',
  destroy: 'It changes what nobody can repair',
}

export function ApproveForm({
  row,
  pin,
  approved,
}: {
  readonly row: McpTool
  /** Of the definition that is shown. */
  readonly pin: string
  readonly approved: () => void
}): ReactNode {
  const { busy, problem, perform } = useDeed()
  const [named, setNamed] = useState<ClassName | null>(null)
  const [reason, setReason] = useState('')
  const { server, tool } = row
  const isReady = !isBlank(reason) && (named !== null || row.class !== null)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady) return
    const params = { server, tool }
    const body = { pin, reason, ...(named === null ? {} : { class: named }) }
    const agreed = await perform((client, key) => client.approveMcpTool({ params, body, key }))
    if (agreed === null) return
    setReason('')
    approved()
  }
  const form = useRef<HTMLFormElement>(null)
  // What it does stands before why it may: whoever has not said so is led there first.
  useKeys([{ keys: 'a', does: 'approve this definition', run: () => focusMissing(form.current) }])
  return (
    <form
      className="approve-tool stack"
      ref={form}
      onSubmit={send}
      onKeyDown={(event) => sendFormOnKeys(event, form.current)}
    >
      <h3>Approve this definition</h3>
      <fieldset className="stack">
        <legend>What does it do? Nobody believes a server about itself.</legend>
        {row.class === null ? null : (
          <label>
            <input
              type="radio"
              name="class"
              checked={named === null}
              onChange={() => setNamed(null)}
            />{' '}
            As before
          </label>
        )}
        {Object.entries(CLASSES).map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="class"
              checked={named === value}
              onChange={() => setNamed(parseClassName(value))}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <label>
        Reason
        <textarea value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="main" disabled={!isReady || busy}>
          {busy ? 'Sending…' : 'Approve'}
        </button>
        <span className="quiet small">
          Your name and the reason are written down. It is used after the next start of the server.
        </span>
      </p>
    </form>
  )
}

function focusMissing(form: HTMLFormElement | null): void {
  const isNamed = form?.querySelector('input[name="class"]:checked') !== null
  form?.querySelector<HTMLElement>(isNamed ? 'textarea' : 'input[name="class"]')?.focus()
}

function parseClassName(value: string): ClassName {
  return value as ClassName
}
