/** The editor in the look of the console: every colour is a token, so that light and dark come by themselves. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--running)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--allowed)' },
  { tag: [tags.number, tags.atom, tags.bool, tags.null], color: 'var(--unknown)' },
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--running)' },
  { tag: [tags.typeName, tags.meta], color: 'var(--waiting)' },
  { tag: tags.variableName, color: 'var(--unknown)' },
])

const BAR = { backgroundColor: 'var(--ground-2)', color: 'var(--ink)' }
const FIELD = {
  border: '1px solid var(--line-strong)',
  borderRadius: 'var(--round-small)',
  backgroundColor: 'var(--card)',
  backgroundImage: 'none',
  color: 'var(--ink)',
  font: 'var(--small) var(--text)',
}

const frame = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': {
    caretColor: 'var(--ink)',
    padding: 'var(--gap-2) 0',
    fontVariantLigatures: 'none',
  },
  '.cm-line': { padding: '0 var(--gap-2)' },
  '.cm-cursor': { borderLeft: '2px solid var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--selected)' },
  '.cm-content ::selection, .cm-content::selection': { backgroundColor: 'var(--selected)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ground-3) 45%, transparent)' },
  '.cm-gutters': {
    borderRight: '1px solid var(--line)',
    backgroundColor: 'var(--ground-2)',
    color: 'var(--ink-2)',
  },
  '.cm-activeLineGutter': { backgroundColor: 'var(--ground-3)', color: 'var(--ink)' },
  '.cm-foldPlaceholder': { ...BAR, borderColor: 'var(--line)', padding: '0 6px' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--selected)',
    outline: '1px solid var(--focus)',
  },
  '.cm-searchMatch': {
    backgroundColor: 'var(--waiting-ground)',
    outline: '1px solid var(--waiting)',
  },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--selected)' },
  '.cm-specialChar': { color: 'var(--rejected)', fontWeight: '600' },
  '.cm-panels': { ...BAR, borderColor: 'var(--line)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel input, .cm-textfield': FIELD,
  '.cm-panel button, .cm-button': FIELD,
  '.cm-panel.cm-search label': { fontSize: 'var(--small)' },
  '.cm-panel.cm-search [name=close], .cm-panel.cm-panel-lint [name=close]': {
    color: 'var(--ink)',
  },
  '.cm-panel.cm-panel-lint ul [aria-selected]': BAR,
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--round)',
    backgroundColor: 'var(--overlay)',
    boxShadow: 'var(--overlay-shadow)',
    maxWidth: 'min(560px, 90vw)',
    color: 'var(--ink)',
    fontFamily: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px var(--gap-2)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--ink-2)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionInfo': { padding: 'var(--gap-1) var(--gap-2)', fontSize: 'var(--small)' },
  '.cm-diagnostic': { padding: 'var(--gap-1) var(--gap-2)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--rejected)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--waiting)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--rejected) 1px',
    textUnderlineOffset: '4px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--waiting) 1px',
    textUnderlineOffset: '4px',
  },
  // The usual marks are images in the sheet, which the policy of the server does not load.
  '.cm-lint-marker': { width: '1em', height: '1em', lineHeight: '1', textAlign: 'center' },
  '.cm-lint-marker-error, .cm-lint-marker-warning, .cm-lint-marker-info': { content: 'normal' },
  '.cm-lint-marker-error::before': { content: '"✖"', color: 'var(--rejected)' },
  '.cm-lint-marker-warning::before': { content: '"⚠"', color: 'var(--waiting)' },
})

export const editorLook: Extension = [frame, syntaxHighlighting(colours)]
