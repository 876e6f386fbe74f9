/** The picture of a paid request that a member shares: sum, date and stamp. It never has the address. */
export type PictureTexts = {
  brand: string;
  amount: string;
  worth: string;
  stamp: string;
  day: string;
};

const [WIDTH, HEIGHT] = [1_200, 630];
const MARGIN = 80;
/** Half the width of the stamp, and the angle by which it is turned. */
const [STAMP_X, STAMP_Y, STAMP_HALF, STAMP_TURN] = [950, 300, 150, -0.14];

/** Draws the picture in the colors of the page. */
async function drawPicture({ brand, amount, worth, stamp, day }: PictureTexts): Promise<Blob> {
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

  context.translate(STAMP_X, STAMP_Y);
  context.rotate(STAMP_TURN);
  context.strokeStyle = color('coin');
  context.fillStyle = color('coin');
  for (const [half, width] of [
    [STAMP_HALF, 8],
    [STAMP_HALF - 16, 3],
  ] as const) {
    context.lineWidth = width;
    context.beginPath();
    context.arc(0, 0, half, 0, 2 * Math.PI);
    context.stroke();
  }
  context.textAlign = 'center';
  const inside = 2 * STAMP_HALF - 60;
  write(stamp, 0, 14, 56, 700, inside);
  write(day, 0, 64, 30, 500, inside);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The picture could not be written.'));
      else resolve(blob);
    }, 'image/png');
  });
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
