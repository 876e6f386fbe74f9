/** The picture of a paid request that a member shares: sum, date and stamp. It never has the address. */
export type PictureTexts = {
  brand: string;
  amount: string;
  worth: string;
  /** What stands around the stamp. */
  rim: string;
  stamp: string;
  day: string;
};

const [WIDTH, HEIGHT] = [1_200, 630];
const MARGIN = 80;
/** Half the width of the stamp, and the angle by which it is turned. */
const [STAMP_X, STAMP_Y, STAMP_HALF, STAMP_TURN] = [950, 300, 150, -0.14];

/** Draws the picture in the colors of the page. */
async function drawPicture({ brand, amount, worth, rim, stamp, day }: PictureTexts): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no canvas.');
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--e-${name}`).trim();
  const family = getComputedStyle(document.body).fontFamily;
  const write = (text: string, x: number, y: number, size: number, weight: number, widthMax: number) => {
    context.font = `${weight} ${size}px ${family}`;
    context.fillText(text, x, y, widthMax);
  };
  context.fillStyle = color('cover');
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = color('on-cover');
  const textWidthMax = STAMP_X - STAMP_HALF - 2 * MARGIN;
  write(brand, MARGIN, 120, 40, 600, textWidthMax);
  write(amount, MARGIN, 330, 96, 700, textWidthMax);
  write(worth, MARGIN, 400, 40, 400, textWidthMax);

  drawStamp(context, { color: color('coin'), family, rim, stamp, day });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The picture could not be written.'));
      else resolve(blob);
    }, 'image/png');
  });
}

/** The ticks of the stamp's edge. */
const TICKS = 70;

type StampTexts = Pick<PictureTexts, 'rim' | 'stamp' | 'day'> & { color: string; family: string };

/** Draws the stamp of the receipt, in the units of its drawing there. */
function drawStamp(context: CanvasRenderingContext2D, { color, family, rim, stamp, day }: StampTexts): void {
  context.translate(STAMP_X, STAMP_Y);
  context.rotate(STAMP_TURN);
  context.scale(STAMP_HALF / 46.5, STAMP_HALF / 46.5);
  context.strokeStyle = color;
  context.fillStyle = color;
  const drawArc = (radius: number, width: number, from = 0, to = 2 * Math.PI) => {
    context.lineWidth = width;
    context.beginPath();
    context.arc(0, 0, radius, from, to);
    context.stroke();
  };
  for (let tick = 0; tick < TICKS; tick += 1) {
    const from = (2 * Math.PI * tick) / TICKS;
    drawArc(45, 3, from, from + 0.04);
  }
  drawArc(41.4, 1.4);
  drawArc(27, 1.1);
  context.textAlign = 'center';
  const write = (text: string, y: number, size: number, weight: number) => {
    context.font = `${weight} ${size}px ${family}`;
    context.fillText(text, 0, y, 46);
  };
  write(stamp, 3, 14, 700);
  write(day, 14, 7.5, 600);
  drawRim(context, rim, `700 9px ${family}`);
}

/** Writes a text around the stamp, clockwise from its left, with the same gap between all letters. */
function drawRim(context: CanvasRenderingContext2D, rim: string, font: string): void {
  const radius = 33;
  context.font = font;
  const letters = [...rim].map((letter) => ({ letter, width: context.measureText(letter).width }));
  const gap = (2 * Math.PI * radius - letters.reduce((sum, { width }) => sum + width, 0)) / letters.length;
  let before = 0;
  for (const { letter, width } of letters) {
    context.save();
    context.rotate((before + width / 2) / radius - Math.PI / 2);
    context.fillText(letter, 0, -radius);
    context.restore();
    before += width + gap;
  }
}

/** Shows the device's ways to share the picture. A device without them saves it. */
export async function sharePicture(texts: PictureTexts, name: string): Promise<void> {
  const file = new File([await drawPicture(texts)], `${name}.png`, { type: 'image/png' });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch((error: unknown) => {
      // The member has closed the device's sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    });
    return;
  }
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click();
  URL.revokeObjectURL(url);
}
