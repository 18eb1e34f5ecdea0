/** Which of so many columns have their time below them: at even steps from the first, a few that do not touch each other. */
export function chooseLabelled(count: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / MOST))
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step)
}

const MOST = 6
