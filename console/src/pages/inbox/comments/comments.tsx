/** What people say to each other about a request. It decides nothing, and stands apart from what does. */
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'
import type { EscalationBrief } from 'rubicon-agents/client'
import { isBlank, LIMITS } from 'rubicon-kernel'
import { useKeys } from '../../../keys/keys.tsx'
import { AgentText } from '../../../parts/agent-text.tsx'
import { Failed } from '../../../parts/outcomes.tsx'
import { useNarrow } from '../../../parts/use-narrow.ts'
import { When } from '../../../parts/when.tsx'
import { useComment } from './use-comment.ts'
import './comments.css'

export function Comments({
  brief: { id, comments },
  changed,
}: {
  readonly brief: Pick<EscalationBrief, 'id' | 'comments'>
  /** Reads the request again. */
  readonly changed: () => void
}): ReactNode {
  const isNarrow = useNarrow()
  const field = useRef<HTMLTextAreaElement>(null)
  const { mayComment, text, write, busy, problem, send } = useComment(id, changed)
  useKeys([{ keys: 'm', does: 'write a comment', run: () => field.current?.focus() }])
  if (!mayComment && comments.length === 0) return null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void send()
  }
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Escape') event.currentTarget.closest<HTMLElement>('article')?.focus()
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    void send()
  }
  return (
    <section className="comments stack" aria-label="comments">
      {comments.length === 0 ? null : (
        <ol className="comment-list">
          {comments.map(({ by, at, text: said, yours }) => (
            <li key={`${at} ${by} ${said}`}>
              <p className="small">
                <strong>{yours ? 'you' : by}</strong>{' '}
                <span className="quiet">
                  <When at={at} />
                </span>
              </p>
              <p className="comment-text">
                <AgentText text={said} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {mayComment ? (
        <form className="comment-form" onSubmit={submit}>
          <label className="comment-field">
            <span className="unseen">your comment</span>
            <textarea
              ref={field}
              rows={text === '' ? 1 : 3}
              maxLength={LIMITS.commentLength}
              placeholder={isNarrow ? 'a comment for others' : 'a comment for others (m)'}
              value={text}
              onChange={(event) => write(event.target.value)}
              onKeyDown={handleKey}
            />
          </label>
          <button type="submit" disabled={busy || isBlank(text)}>
            {busy ? 'Sending…' : 'Comment'}
          </button>
        </form>
      ) : null}
      {problem === null ? null : <Failed problem={problem} />}
      <p className="quiet small">
        Comments are for people: agents never see them, and they are not in the ledger.
      </p>
    </section>
  )
}
