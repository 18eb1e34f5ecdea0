/**
 * A text that people edit: with colours, line numbers, search and what is wrong underlined. Until the editor is loaded,
 * and where it cannot be, the same text stands in a plain field, which does everything but that.
 */
import { type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { Complete, Language } from './code-view.ts'
import type { TextProblem } from './text-problem.ts'
import { type Loaded, useCodeView } from './use-code-view.ts'
import './editor.css'

export type EditorHandle = {
  goToLine(line: number): void
  /** Selects a part of the text, so that what is typed takes its place. */
  selectRange(from: number, to: number): void
}

export type EditorProps = {
  readonly label: string
  readonly language: Language
  readonly value: string
  readonly change: (text: string) => void
  readonly problems?: readonly TextProblem[]
  readonly complete?: Complete
  readonly isReadOnly?: boolean
  /** Ctrl+Enter in the text: on to what is done with it. */
  readonly done?: () => void
  /** Told once the text can be edited. */
  readonly ready?: () => void
  /** How tall it is at most; it grows with its text up to there. */
  readonly size?: 'short' | 'tall'
  readonly ref?: Ref<EditorHandle>
}

export function Editor(props: EditorProps): ReactNode {
  const { label, value, change, isReadOnly = false, size = 'tall', ref } = props
  const frame = useRef<HTMLFieldSetElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const heard = useRef(props.ready)
  heard.current = props.ready
  const { host, view, loaded } = useCodeView(props, () => frame.current?.focus())
  useImperativeHandle(ref, () => ({
    goToLine(line) {
      if (view.current !== null) view.current.goToLine(line)
      else if (plain.current !== null) selectLine(plain.current, line)
    },
    selectRange(from, to) {
      view.current?.selectRange(from, to)
      if (view.current !== null) return
      plain.current?.setSelectionRange(from, to)
      plain.current?.focus()
    },
  }))
  // Before it is seen: whoever sees that it can be edited may type at once.
  useLayoutEffect(() => {
    if (loaded !== 'loading') heard.current?.()
  }, [loaded])
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
        {describeKeys(loaded, isReadOnly, props.done !== undefined)}
      </p>
    </fieldset>
  )
}

function describeKeys(loaded: Loaded, isReadOnly: boolean, goesOn: boolean): string {
  if (loaded === 'plain') return 'The editor could not be loaded: this is the plain text.'
  if (loaded === 'loading') return 'The editor is being loaded.'
  if (isReadOnly) return 'Read-only. Ctrl+F searches.'
  const keys =
    'Escape leaves, Tab indents, Ctrl+Space completes, Ctrl+F searches, F8 goes to the next problem'
  return goesOn ? `${keys}, Ctrl+Enter goes on to deploying.` : `${keys}.`
}

function selectLine(text: HTMLTextAreaElement, line: number): void {
  const lines = text.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  text.focus()
}
