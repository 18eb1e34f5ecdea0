/** Carries the steps of a task out in a real browser, and a command in a terminal where the task has one. */
import type { Locator, Page } from 'playwright-core'
import { run } from '../shell.ts'
import type { PageStep, TaskPlace, TaskStep } from './task.ts'

/** Longer than anything that a page waits for. */
export const PATIENCE_MS = 20_000

export async function takeSteps(
  place: TaskPlace,
  steps: readonly TaskStep[],
  token: string,
): Promise<void> {
  for (const step of steps)
    try {
      await takeStep(place, step, token)
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      throw new Error(`${formatStep(step)}: ${why}`, { cause: error })
    }
}

function formatStep(step: TaskStep): string {
  if ('click' in step) return `click ${step.click.says}`
  return Object.entries(step)
    .map(([deed, what]) => `${deed} ${what}`)
    .join()
}

async function takeStep({ page, folder }: TaskPlace, step: TaskStep, token: string): Promise<void> {
  return 'run' in step ? runShown(page, step.run, folder, token) : takePageStep(page, step)
}

export async function takePageStep(page: Page, step: PageStep): Promise<void> {
  if ('see' in step) return awaitText(page, step.see)
  if ('press' in step) return pressKeys(page, step.press)
  if ('type' in step) return page.keyboard.type(step.type)
  const { role, name, nth = 0, row } = step.click
  const within: Page | Locator = row === undefined ? page : page.getByRole('row', { name: row })
  await within.getByRole(role, { name }).nth(nth).click({ timeout: PATIENCE_MS })
}

/** In a dialog that is open, else on the page. */
async function awaitText(page: Page, text: RegExp): Promise<void> {
  const places = page.locator('dialog[open], main, [role=status]')
  await places.filter({ hasText: text }).first().waitFor({ timeout: PATIENCE_MS })
  await page.locator('main:not(:has(.loading))').waitFor({ timeout: PATIENCE_MS })
}

/** `g i` are two keys, `Control+k` is one. */
async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/** The command as the page shows it, word for word; whoever runs it names themselves by their token. */
async function runShown(page: Page, wanted: RegExp, cwd: string, token: string): Promise<void> {
  const command = await page.locator('code').filter({ hasText: wanted }).first().innerText()
  const { ok, stderr } = run('sh', ['-c', command], { cwd, env: { RUBICON_TOKEN: token } })
  if (!ok) throw new Error(`\`${command}\`: ${stderr.trim()}`)
}
