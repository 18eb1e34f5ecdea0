/**
 * A text that people edit: with colours, line numbers, search and what is wrong underlined. Until the editor is loaded,
 * and where it cannot be, the same text stands in a plain field, which does everything but that.
 */
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { CodeView, Complete, Language } from './code-view.ts'
import type { TextProblem } from './text-problem.ts'
import './editor.css'

export type EditorHandle = { goToLine(line: number): void }

export type EditorProps = {
  readonly label: string
  readonly language: Language
  readonly value: string
  readonly change: (text: string) => void
  readonly problems?: readonly TextProblem[]
  readonly complete?: Complete
  readonly isReadOnly?: boolean
  /** How tall it is at most; it grows with its text up to there. */
  readonly size?: 'short' | 'tall'
  readonly ref?: Ref<EditorHandle>
}

type Loaded = 'loading' | 'plain' | 'ready'

const NONE: readonly TextProblem[] = []

export function Editor({
  label,
  language,
  value,
  change,
  problems = NONE,
  complete,
  isReadOnly = false,
  size = 'tall',
  ref,
}: EditorProps): ReactNode {
  const frame = useRef<HTMLFieldSetElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const view = useRef<CodeView | null>(null)
  const latest = useRef({ change, complete, value, isReadOnly })
  latest.current = { change, complete, value, isReadOnly }
  const [loaded, setLoaded] = useState<Loaded>('loading')
  useEffect(() => {
    const left = new AbortController()
    const load = async (): Promise<void> => {
      try {
        const { createCodeView } = await import('./code-view.ts')
        const element = host.current
        if (left.signal.aborted || element === null) return
        const wasTyping = document.activeElement === plain.current
        view.current = createCodeView(element, {
          text: latest.current.value,
          label,
          language,
          isReadOnly: latest.current.isReadOnly,
          complete: (...place) => latest.current.complete?.(...place) ?? null,
          onChange: (text) => latest.current.change(text),
          onLeave: () => frame.current?.focus(),
        })
        setLoaded('ready')
        if (wasTyping) view.current.goToLine(1)
      } catch {
        if (!left.signal.aborted) setLoaded('plain')
      }
    }
    void load()
    return () => {
      left.abort()
      view.current?.destroy()
      view.current = null
    }
  }, [label, language])
  useEffect(() => {
    if (loaded === 'ready') view.current?.setText(value)
  }, [loaded, value])
  useEffect(() => {
    if (loaded === 'ready') view.current?.setReadOnly(isReadOnly)
  }, [loaded, isReadOnly])
  useEffect(() => {
    if (loaded === 'ready') view.current?.setProblems(problems)
  }, [loaded, problems])
  useImperativeHandle(ref, () => ({
    goToLine(line) {
      if (view.current !== null) view.current.goToLine(line)
      else if (plain.current !== null) selectLine(plain.current, line)
    },
  }))
  return (
    <fieldset
      className={`editor editor-${size}`}
      ref={frame}
      tabIndex={-1}
      aria-label={`${label}, editor`}
      data-state={loaded}
    >
      <div className="editor-host" ref={host} hidden={loaded !== 'ready'} />
      {loaded === 'ready' ? null : (
        <textarea
          ref={plain}
          className="mono"
          aria-label={label}
          spellCheck={false}
          readOnly={isReadOnly}
          rows={Math.min(24, Math.max(6, value.split('\n').length + 1))}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
      <p className="editor-hint quiet small">
        {loaded === 'plain'
          ? 'The editor could not be loaded: this is the plain text.'
          : isReadOnly
            ? 'Read-only. Ctrl+F searches.'
            : 'Escape leaves, Tab indents, Ctrl+Space completes, Ctrl+F searches, F8 goes to the next problem.'}
      </p>
    </fieldset>
  )
}

function selectLine(text: HTMLTextAreaElement, line: number): void {
  const lines = text.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  text.focus()
}
