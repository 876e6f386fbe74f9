type Language = 'en' | 'ko';

const grouped = (points: string) => points.replace(/\B(?=(\d{3})+$)/g, ',');

/** The schedule of the bonus in the words of pages for visitors. */
export function bonusTextsIn(language: Language, schedule: readonly string[]) {
  const days = schedule.map(grouped);
  const inOrder = [...schedule].sort((one, other) => Number(BigInt(one) - BigInt(other)));
  const [least = '', most = ''] = [inOrder.at(0), inOrder.at(-1)].map((points) => grouped(points ?? ''));
  const join = language === 'ko' ? '~' : ' to ';
  const [first = '', last = ''] = [days.at(0), days.at(-1)];
  return {
    /** The least and the most points of a day. */
    range: least === most ? least : `${least}${join}${most}`,
    /** The points of all days in a row. */
    days: language === 'ko' ? days.join(', ') : `${days.slice(0, -1).join(', ')} and ${last}`,
    first,
    /** The points of every day after the schedule. */
    last,
  };
}
