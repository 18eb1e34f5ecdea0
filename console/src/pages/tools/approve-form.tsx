/** An operator agrees to a tool as it is shown. What they typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { AnyProblem, ApproveMcpToolAsked, McpTool } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { createIdempotencyKey, useClient } from '../../api/session.tsx'
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
  const client = useClient()
  const [named, setNamed] = useState<ClassName | null>(null)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const [busy, setBusy] = useState(false)
  const key = useRef(createIdempotencyKey())
  const { server, tool } = row
  const isReady = !isBlank(reason) && (named !== null || row.class !== null)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady || busy) return
    setBusy(true)
    const answer = await client.approveMcpTool({
      params: { server, tool },
      body: { pin, reason, ...(named === null ? {} : { class: named }) },
      key: key.current,
    })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    // An answer, also a refusal, ends an intention: what is sent next is another one.
    if (answer.ok || answer.problem.status >= 400) key.current = createIdempotencyKey()
    if (!answer.ok) return
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
