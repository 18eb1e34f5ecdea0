export type SparkPoint = { readonly x: number; readonly y: number }

/** Room for the stroke and the last point. */
const MARGIN = 3

/** Where values lie in a picture of that size, the lowest at its bottom; values that are all the same in the middle. */
export function computeSparkPoints(
  values: readonly number[],
  width: number,
  height: number,
): readonly SparkPoint[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const [wide, high] = [width - 2 * MARGIN, height - 2 * MARGIN]
  const step = values.length > 1 ? wide / (values.length - 1) : 0
  return values.map((value, index) => ({
    x: roundTenth(MARGIN + (values.length > 1 ? index * step : wide)),
    y: roundTenth(
      MARGIN + (most === least ? high / 2 : high * (1 - (value - least) / (most - least))),
    ),
  }))
}

function roundTenth(value: number): number {
  return Math.round(value * 10) / 10
}
