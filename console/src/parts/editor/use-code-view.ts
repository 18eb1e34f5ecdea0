/** The editor behind the field: loaded when it is shown, told what changes outside, and gone with the page. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { CodeView } from './code-view.ts'
import type { EditorProps } from './editor.tsx'
import type { TextProblem } from './text-problem.ts'

/** `plain`: it cannot be loaded. */
export type Loaded = 'loading' | 'plain' | 'ready'

export type HeldView = {
  readonly host: RefObject<HTMLDivElement | null>
  readonly view: RefObject<CodeView | null>
  readonly loaded: Loaded
}

const NONE: readonly TextProblem[] = []

export function useCodeView(props: EditorProps, leave: () => void): HeldView {
  const { label, language, value, problems = NONE, isReadOnly = false } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<CodeView | null>(null)
  const latest = useRef({ props, leave })
  latest.current = { props, leave }
  const [loaded, setLoaded] = useState<Loaded>('loading')
  useEffect(() => {
    const left = new AbortController()
    const load = async (): Promise<void> => {
      try {
        const { createCodeView } = await import('./code-view.ts')
        const element = host.current
        if (left.signal.aborted || element === null) return
        view.current = createCodeView(element, {
          text: latest.current.props.value,
          label,
          language,
          isReadOnly: latest.current.props.isReadOnly === true,
          complete: (...place) => latest.current.props.complete?.(...place) ?? null,
          onChange: (text) => latest.current.props.change(text),
          onLeave: () => latest.current.leave(),
          onDone: () => latest.current.props.done?.(),
        })
        setLoaded('ready')
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
  return { host, view, loaded }
}
