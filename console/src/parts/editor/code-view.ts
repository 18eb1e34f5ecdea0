/**
 * A text editor in a shadow root. Loaded when one is shown, so that no other page pays for it; its styles are
 * constructed sheets, which the policy of the server allows inside of a shadow root and nowhere else.
 *
 * K1 Escape leaves: focus goes to the frame, from where Tab goes on and the keys of the page work.
 * K2 what is set from outside is no change of the reader, and is not reported as one.
 */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import {
  closeSearchPanel,
  highlightSelectionMatches,
  search,
  searchKeymap,
  searchPanelOpen,
} from '@codemirror/search'
import {
  Annotation,
  Compartment,
  EditorSelection,
  EditorState,
  type Extension,
} from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { toVisibleText } from '../visible-text.ts'
import { createCedarSupport } from './cedar-language.ts'
import { editorLook } from './editor-theme.ts'
import { SentTexts } from './sent-texts.ts'
import type { Suggestion, Suggestions } from './suggestion.ts'
import { findProblemRange, type TextProblem } from './text-problem.ts'

export type Language = 'cedar' | 'yaml'

export type Complete = (text: string, at: number, explicit: boolean) => Suggestions | null

export type CodeViewOptions = {
  readonly text: string
  readonly label: string
  readonly language: Language
  readonly isReadOnly: boolean
  /** Asked when it is needed: names come later than the text. */
  readonly complete: Complete
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
  /** Ctrl+Enter: on to what is done with the text. */
  readonly onDone: () => void
}

export type CodeView = {
  setText(text: string): void
  setReadOnly(isReadOnly: boolean): void
  setProblems(problems: readonly TextProblem[]): void
  goToLine(line: number): void
  /** What is typed next takes the place of it. */
  selectRange(from: number, to: number): void
  destroy(): void
}

const fromOutside = Annotation.define<boolean>()

export function createCodeView(host: HTMLElement, options: CodeViewOptions): CodeView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const hint = createHint(root)
  const reading = new Compartment()
  const sent = new SentTexts()
  const reportChange = (text: string): void => {
    sent.add(text)
    options.onChange(text)
  }
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        reading.of(createReading(options.isReadOnly)),
        EditorView.contentAttributes.of({
          'aria-label': options.label,
          'aria-describedby': hint,
          // What scrolls is reached by keys, also where nothing can be typed.
          tabindex: '0',
          spellcheck: 'false',
        }),
        createExtensions({ ...options, onChange: reportChange }),
      ],
    }),
  })
  return {
    setText(text) {
      if (view.state.doc.toString() === text) return sent.clear()
      if (sent.takeBack(text)) return
      sent.clear()
      const changes = { from: 0, to: view.state.doc.length, insert: text }
      view.dispatch({ changes, annotations: fromOutside.of(true) })
    },
    setReadOnly: (isReadOnly) =>
      view.dispatch({ effects: reading.reconfigure(createReading(isReadOnly)) }),
    setProblems: (problems) =>
      view.dispatch(setDiagnostics(view.state, toDiagnostics(view.state, problems))),
    goToLine(number) {
      const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines))
      const selection = EditorSelection.range(line.from, line.to)
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection, { y: 'center' }) })
      view.focus()
    },
    selectRange(from, to) {
      const { length } = view.state.doc
      const selection = EditorSelection.range(Math.min(from, length), Math.min(to, length))
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection, { y: 'center' }) })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

/** For whoever does not see the line below the editor. */
function createHint(root: ShadowRoot): string {
  const hint = document.createElement('span')
  hint.id = 'editor-hint'
  hint.hidden = true
  hint.textContent = 'Escape leaves the editor. Tab indents.'
  root.append(hint)
  return hint.id
}

function createReading(isReadOnly: boolean): Extension {
  if (!isReadOnly) return []
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
  ]
}

function createExtensions({
  language,
  complete,
  onChange,
  onLeave,
  onDone,
}: CodeViewOptions): Extension {
  return [
    lineNumbers(),
    codeFolding(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    highlightSpecialChars({ addSpecialChars: /[\u061c\u202a-\u202c]/g, render: showSpecial }),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    indentUnit.of('  '),
    EditorView.lineWrapping,
    search({ top: false }),
    language === 'yaml' ? yaml() : createCedarSupport(),
    autocompletion({
      override: [(context) => findCompletions(context, complete)],
      maxRenderedOptions: 60,
    }),
    keymap.of([
      { key: 'Escape', run: (view) => leave(view, onLeave) },
      { key: 'Mod-Enter', run: () => finish(onDone) },
      { key: 'Tab', run: (view) => acceptCompletion(view) || indentMore(view), shift: indentLess },
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Escape' && key !== 'Mod-Alt-\\'),
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      const isOwn = update.transactions.some((one) => one.annotation(fromOutside) === true)
      if (update.docChanged && !isOwn) onChange(update.state.doc.toString())
    }),
    editorLook,
  ]
}

/** What is open over the text closes first. */
function leave(view: EditorView, onLeave: () => void): boolean {
  if (completionStatus(view.state) !== null && closeCompletion(view)) return true
  if (searchPanelOpen(view.state) && closeSearchPanel(view)) return true
  onLeave()
  return true
}

/** It never means a blank line, also where nothing can be done yet. */
function finish(onDone: () => void): boolean {
  onDone()
  return true
}

function showSpecial(code: number): HTMLElement {
  const shown = document.createElement('span')
  const text = `\\u{${code.toString(16)}}`
  shown.className = 'cm-specialChar'
  shown.textContent = text
  shown.setAttribute('aria-label', text)
  return shown
}

function findCompletions(
  { state, pos, explicit }: CompletionContext,
  complete: Complete,
): CompletionResult | null {
  const found = complete(state.doc.toString(), pos, explicit)
  if (found === null || found.options.length === 0) return null
  return { from: found.from, options: found.options.map(toCompletion), filter: true }
}

/** `displayLabel` is text; the place that is replaced may begin before what was typed. */
function toCompletion({
  label,
  insert = label,
  detail,
  info,
  replacesBefore = 0,
}: Suggestion): Completion {
  return {
    label,
    displayLabel: toVisibleText(label),
    ...(detail === undefined ? {} : { detail: toVisibleText(detail) }),
    ...(info === undefined ? {} : { info: toVisibleText(info) }),
    apply(view, _completion, from, to) {
      const start = from - replacesBefore
      view.dispatch({
        changes: { from: start, to, insert },
        selection: { anchor: start + findCaret(insert) },
        userEvent: 'input.complete',
      })
    },
  }
}

/** Between what opens and closes, where something is to be written there. */
function findCaret(insert: string): number {
  const empty = ['[]', '("")', '{ }'].map((pair) => [insert.indexOf(pair), pair] as const)
  const [at, pair] = empty.find(([found]) => found >= 0) ?? [-1, '']
  return at < 0 ? insert.length : at + pair.length / 2
}

function toDiagnostics(
  { doc }: EditorState,
  problems: readonly TextProblem[],
): readonly Diagnostic[] {
  return problems
    .map(({ severity, message, ...place }) => {
      return { ...findProblemRange(doc, place), severity, message: toVisibleText(message) }
    })
    .sort((one, other) => one.from - other.from)
}
