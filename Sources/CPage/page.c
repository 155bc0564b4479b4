// Written by tools/page.
#include "CPage.h"

#ifdef LATTICE_PAGE_SMALL
#include "../../.build/page/page.c"
#else

// A compiler that reads the files itself is a hundred times as quick as one that reads them as numbers, and it knows when one has changed.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_1[] = {
#embed "../LatticeHTTP/Page/index.html"
};
static const unsigned char file_2[] = {
#embed "../LatticeHTTP/Page/page/about.js"
};
static const unsigned char file_3[] = {
#embed "../LatticeHTTP/Page/page/acts.js"
};
static const unsigned char file_4[] = {
#embed "../LatticeHTTP/Page/page/alerts.js"
};
static const unsigned char file_5[] = {
#embed "../LatticeHTTP/Page/page/announce.js"
};
static const unsigned char file_6[] = {
#embed "../LatticeHTTP/Page/page/api.js"
};
static const unsigned char file_7[] = {
#embed "../LatticeHTTP/Page/page/app.js"
};
static const unsigned char file_8[] = {
#embed "../LatticeHTTP/Page/page/attach.js"
};
static const unsigned char file_9[] = {
#embed "../LatticeHTTP/Page/page/away.js"
};
static const unsigned char file_10[] = {
#embed "../LatticeHTTP/Page/page/base.css"
};
static const unsigned char file_11[] = {
#embed "../LatticeHTTP/Page/page/bytes.js"
};
static const unsigned char file_12[] = {
#embed "../LatticeHTTP/Page/page/changes.js"
};
static const unsigned char file_13[] = {
#embed "../LatticeHTTP/Page/page/chatlist.js"
};
static const unsigned char file_14[] = {
#embed "../LatticeHTTP/Page/page/clusters.js"
};
static const unsigned char file_15[] = {
#embed "../LatticeHTTP/Page/page/coastline.bin"
};
static const unsigned char file_16[] = {
#embed "../LatticeHTTP/Page/page/coastline.js"
};
static const unsigned char file_17[] = {
#embed "../LatticeHTTP/Page/page/compare.js"
};
static const unsigned char file_18[] = {
#embed "../LatticeHTTP/Page/page/compose.js"
};
static const unsigned char file_19[] = {
#embed "../LatticeHTTP/Page/page/conversations.js"
};
static const unsigned char file_20[] = {
#embed "../LatticeHTTP/Page/page/dark.css"
};
static const unsigned char file_21[] = {
#embed "../LatticeHTTP/Page/page/dom.js"
};
static const unsigned char file_22[] = {
#embed "../LatticeHTTP/Page/page/drafts.js"
};
static const unsigned char file_23[] = {
#embed "../LatticeHTTP/Page/page/event.js"
};
static const unsigned char file_24[] = {
#embed "../LatticeHTTP/Page/page/eventparser.js"
};
static const unsigned char file_25[] = {
#embed "../LatticeHTTP/Page/page/filecard.js"
};
static const unsigned char file_26[] = {
#embed "../LatticeHTTP/Page/page/files.css"
};
static const unsigned char file_27[] = {
#embed "../LatticeHTTP/Page/page/files.js"
};
static const unsigned char file_28[] = {
#embed "../LatticeHTTP/Page/page/foundlines.js"
};
static const unsigned char file_29[] = {
#embed "../LatticeHTTP/Page/page/geo.js"
};
static const unsigned char file_30[] = {
#embed "../LatticeHTTP/Page/page/graph.js"
};
static const unsigned char file_31[] = {
#embed "../LatticeHTTP/Page/page/here.js"
};
static const unsigned char file_32[] = {
#embed "../LatticeHTTP/Page/page/icon-192.png"
};
static const unsigned char file_33[] = {
#embed "../LatticeHTTP/Page/page/icon.svg"
};
static const unsigned char file_34[] = {
#embed "../LatticeHTTP/Page/page/icons.svg"
};
static const unsigned char file_35[] = {
#embed "../LatticeHTTP/Page/page/item.js"
};
static const unsigned char file_36[] = {
#embed "../LatticeHTTP/Page/page/kept.js"
};
static const unsigned char file_37[] = {
#embed "../LatticeHTTP/Page/page/keyboard.js"
};
static const unsigned char file_38[] = {
#embed "../LatticeHTTP/Page/page/knownchats.js"
};
static const unsigned char file_39[] = {
#embed "../LatticeHTTP/Page/page/knownplaces.js"
};
static const unsigned char file_40[] = {
#embed "../LatticeHTTP/Page/page/latest.js"
};
static const unsigned char file_41[] = {
#embed "../LatticeHTTP/Page/page/layout.css"
};
static const unsigned char file_42[] = {
#embed "../LatticeHTTP/Page/page/layout.js"
};
static const unsigned char file_43[] = {
#embed "../LatticeHTTP/Page/page/line.js"
};
static const unsigned char file_44[] = {
#embed "../LatticeHTTP/Page/page/lineacts.js"
};
static const unsigned char file_45[] = {
#embed "../LatticeHTTP/Page/page/linechanges.js"
};
static const unsigned char file_46[] = {
#embed "../LatticeHTTP/Page/page/linedrag.js"
};
static const unsigned char file_47[] = {
#embed "../LatticeHTTP/Page/page/linemenu.js"
};
static const unsigned char file_48[] = {
#embed "../LatticeHTTP/Page/page/lines.js"
};
static const unsigned char file_49[] = {
#embed "../LatticeHTTP/Page/page/linetext.js"
};
static const unsigned char file_50[] = {
#embed "../LatticeHTTP/Page/page/list.js"
};
static const unsigned char file_51[] = {
#embed "../LatticeHTTP/Page/page/listhead.js"
};
static const unsigned char file_52[] = {
#embed "../LatticeHTTP/Page/page/livestate.js"
};
static const unsigned char file_53[] = {
#embed "../LatticeHTTP/Page/page/look.js"
};
static const unsigned char file_54[] = {
#embed "../LatticeHTTP/Page/page/main.js"
};
static const unsigned char file_55[] = {
#embed "../LatticeHTTP/Page/page/manifest.webmanifest"
};
static const unsigned char file_56[] = {
#embed "../LatticeHTTP/Page/page/map.css"
};
static const unsigned char file_57[] = {
#embed "../LatticeHTTP/Page/page/map.js"
};
static const unsigned char file_58[] = {
#embed "../LatticeHTTP/Page/page/mapcard.js"
};
static const unsigned char file_59[] = {
#embed "../LatticeHTTP/Page/page/mapdraw.js"
};
static const unsigned char file_60[] = {
#embed "../LatticeHTTP/Page/page/mapview.js"
};
static const unsigned char file_61[] = {
#embed "../LatticeHTTP/Page/page/marks.js"
};
static const unsigned char file_62[] = {
#embed "../LatticeHTTP/Page/page/mesh.css"
};
static const unsigned char file_63[] = {
#embed "../LatticeHTTP/Page/page/mesh.js"
};
static const unsigned char file_64[] = {
#embed "../LatticeHTTP/Page/page/meshcard.js"
};
static const unsigned char file_65[] = {
#embed "../LatticeHTTP/Page/page/names.js"
};
static const unsigned char file_66[] = {
#embed "../LatticeHTTP/Page/page/newplace.js"
};
static const unsigned char file_67[] = {
#embed "../LatticeHTTP/Page/page/news.js"
};
static const unsigned char file_68[] = {
#embed "../LatticeHTTP/Page/page/notifications.js"
};
static const unsigned char file_69[] = {
#embed "../LatticeHTTP/Page/page/offline.js"
};
static const unsigned char file_70[] = {
#embed "../LatticeHTTP/Page/page/originalcard.js"
};
static const unsigned char file_71[] = {
#embed "../LatticeHTTP/Page/page/outbox.js"
};
static const unsigned char file_72[] = {
#embed "../LatticeHTTP/Page/page/people.js"
};
static const unsigned char file_73[] = {
#embed "../LatticeHTTP/Page/page/personfiles.js"
};
static const unsigned char file_74[] = {
#embed "../LatticeHTTP/Page/page/personphotos.js"
};
static const unsigned char file_75[] = {
#embed "../LatticeHTTP/Page/page/photofield.js"
};
static const unsigned char file_76[] = {
#embed "../LatticeHTTP/Page/page/photos.css"
};
static const unsigned char file_77[] = {
#embed "../LatticeHTTP/Page/page/photos.js"
};
static const unsigned char file_78[] = {
#embed "../LatticeHTTP/Page/page/picture.js"
};
static const unsigned char file_79[] = {
#embed "../LatticeHTTP/Page/page/pins.js"
};
static const unsigned char file_80[] = {
#embed "../LatticeHTTP/Page/page/placefield.js"
};
static const unsigned char file_81[] = {
#embed "../LatticeHTTP/Page/page/placeform.js"
};
static const unsigned char file_82[] = {
#embed "../LatticeHTTP/Page/page/placerow.js"
};
static const unsigned char file_83[] = {
#embed "../LatticeHTTP/Page/page/places.js"
};
static const unsigned char file_84[] = {
#embed "../LatticeHTTP/Page/page/post.js"
};
static const unsigned char file_85[] = {
#embed "../LatticeHTTP/Page/page/posts.css"
};
static const unsigned char file_86[] = {
#embed "../LatticeHTTP/Page/page/posts.js"
};
static const unsigned char file_87[] = {
#embed "../LatticeHTTP/Page/page/postsat.js"
};
static const unsigned char file_88[] = {
#embed "../LatticeHTTP/Page/page/poststate.js"
};
static const unsigned char file_89[] = {
#embed "../LatticeHTTP/Page/page/profile.js"
};
static const unsigned char file_90[] = {
#embed "../LatticeHTTP/Page/page/projection.js"
};
static const unsigned char file_91[] = {
#embed "../LatticeHTTP/Page/page/redraw.js"
};
static const unsigned char file_92[] = {
#embed "../LatticeHTTP/Page/page/rings.js"
};
static const unsigned char file_93[] = {
#embed "../LatticeHTTP/Page/page/roomdialogs.js"
};
static const unsigned char file_94[] = {
#embed "../LatticeHTTP/Page/page/roompins.js"
};
static const unsigned char file_95[] = {
#embed "../LatticeHTTP/Page/page/rooms.js"
};
static const unsigned char file_96[] = {
#embed "../LatticeHTTP/Page/page/router.js"
};
static const unsigned char file_97[] = {
#embed "../LatticeHTTP/Page/page/rows.js"
};
static const unsigned char file_98[] = {
#embed "../LatticeHTTP/Page/page/save.js"
};
static const unsigned char file_99[] = {
#embed "../LatticeHTTP/Page/page/sending.js"
};
static const unsigned char file_100[] = {
#embed "../LatticeHTTP/Page/page/sheet.js"
};
static const unsigned char file_101[] = {
#embed "../LatticeHTTP/Page/page/sight.js"
};
static const unsigned char file_102[] = {
#embed "../LatticeHTTP/Page/page/sources.js"
};
static const unsigned char file_103[] = {
#embed "../LatticeHTTP/Page/page/speaker.js"
};
static const unsigned char file_104[] = {
#embed "../LatticeHTTP/Page/page/store.js"
};
static const unsigned char file_105[] = {
#embed "../LatticeHTTP/Page/page/stream.js"
};
static const unsigned char file_106[] = {
#embed "../LatticeHTTP/Page/page/talk.css"
};
static const unsigned char file_107[] = {
#embed "../LatticeHTTP/Page/page/talkhead.js"
};
static const unsigned char file_108[] = {
#embed "../LatticeHTTP/Page/page/talkstate.js"
};
static const unsigned char file_109[] = {
#embed "../LatticeHTTP/Page/page/text.js"
};
static const unsigned char file_110[] = {
#embed "../LatticeHTTP/Page/page/textfield.js"
};
static const unsigned char file_111[] = {
#embed "../LatticeHTTP/Page/page/tiles.js"
};
static const unsigned char file_112[] = {
#embed "../LatticeHTTP/Page/page/time.js"
};
static const unsigned char file_113[] = {
#embed "../LatticeHTTP/Page/page/typed.js"
};
static const unsigned char file_114[] = {
#embed "../LatticeHTTP/Page/page/unlocked.js"
};
static const unsigned char file_115[] = {
#embed "../LatticeHTTP/Page/page/unread.js"
};
static const unsigned char file_116[] = {
#embed "../LatticeHTTP/Page/page/urgent.js"
};
static const unsigned char file_117[] = {
#embed "../LatticeHTTP/Page/page/views.css"
};
static const unsigned char file_118[] = {
#embed "../LatticeHTTP/Page/page/views.js"
};
static const unsigned char file_119[] = {
#embed "../LatticeHTTP/Page/page/visit.css"
};
static const unsigned char file_120[] = {
#embed "../LatticeHTTP/Page/page/visit.js"
};
static const unsigned char file_121[] = {
#embed "../LatticeHTTP/Page/page/visitors.js"
};
static const unsigned char file_122[] = {
#embed "../LatticeHTTP/Page/page/you.js"
};
static const unsigned char file_123[] = {
#embed "../LatticeHTTP/Page/service-worker.js"
};

static const lattice_page_file files[] = {
    {"index.html", file_1, sizeof file_1},
    {"page/about.js", file_2, sizeof file_2},
    {"page/acts.js", file_3, sizeof file_3},
    {"page/alerts.js", file_4, sizeof file_4},
    {"page/announce.js", file_5, sizeof file_5},
    {"page/api.js", file_6, sizeof file_6},
    {"page/app.js", file_7, sizeof file_7},
    {"page/attach.js", file_8, sizeof file_8},
    {"page/away.js", file_9, sizeof file_9},
    {"page/base.css", file_10, sizeof file_10},
    {"page/bytes.js", file_11, sizeof file_11},
    {"page/changes.js", file_12, sizeof file_12},
    {"page/chatlist.js", file_13, sizeof file_13},
    {"page/clusters.js", file_14, sizeof file_14},
    {"page/coastline.bin", file_15, sizeof file_15},
    {"page/coastline.js", file_16, sizeof file_16},
    {"page/compare.js", file_17, sizeof file_17},
    {"page/compose.js", file_18, sizeof file_18},
    {"page/conversations.js", file_19, sizeof file_19},
    {"page/dark.css", file_20, sizeof file_20},
    {"page/dom.js", file_21, sizeof file_21},
    {"page/drafts.js", file_22, sizeof file_22},
    {"page/event.js", file_23, sizeof file_23},
    {"page/eventparser.js", file_24, sizeof file_24},
    {"page/filecard.js", file_25, sizeof file_25},
    {"page/files.css", file_26, sizeof file_26},
    {"page/files.js", file_27, sizeof file_27},
    {"page/foundlines.js", file_28, sizeof file_28},
    {"page/geo.js", file_29, sizeof file_29},
    {"page/graph.js", file_30, sizeof file_30},
    {"page/here.js", file_31, sizeof file_31},
    {"page/icon-192.png", file_32, sizeof file_32},
    {"page/icon.svg", file_33, sizeof file_33},
    {"page/icons.svg", file_34, sizeof file_34},
    {"page/item.js", file_35, sizeof file_35},
    {"page/kept.js", file_36, sizeof file_36},
    {"page/keyboard.js", file_37, sizeof file_37},
    {"page/knownchats.js", file_38, sizeof file_38},
    {"page/knownplaces.js", file_39, sizeof file_39},
    {"page/latest.js", file_40, sizeof file_40},
    {"page/layout.css", file_41, sizeof file_41},
    {"page/layout.js", file_42, sizeof file_42},
    {"page/line.js", file_43, sizeof file_43},
    {"page/lineacts.js", file_44, sizeof file_44},
    {"page/linechanges.js", file_45, sizeof file_45},
    {"page/linedrag.js", file_46, sizeof file_46},
    {"page/linemenu.js", file_47, sizeof file_47},
    {"page/lines.js", file_48, sizeof file_48},
    {"page/linetext.js", file_49, sizeof file_49},
    {"page/list.js", file_50, sizeof file_50},
    {"page/listhead.js", file_51, sizeof file_51},
    {"page/livestate.js", file_52, sizeof file_52},
    {"page/look.js", file_53, sizeof file_53},
    {"page/main.js", file_54, sizeof file_54},
    {"page/manifest.webmanifest", file_55, sizeof file_55},
    {"page/map.css", file_56, sizeof file_56},
    {"page/map.js", file_57, sizeof file_57},
    {"page/mapcard.js", file_58, sizeof file_58},
    {"page/mapdraw.js", file_59, sizeof file_59},
    {"page/mapview.js", file_60, sizeof file_60},
    {"page/marks.js", file_61, sizeof file_61},
    {"page/mesh.css", file_62, sizeof file_62},
    {"page/mesh.js", file_63, sizeof file_63},
    {"page/meshcard.js", file_64, sizeof file_64},
    {"page/names.js", file_65, sizeof file_65},
    {"page/newplace.js", file_66, sizeof file_66},
    {"page/news.js", file_67, sizeof file_67},
    {"page/notifications.js", file_68, sizeof file_68},
    {"page/offline.js", file_69, sizeof file_69},
    {"page/originalcard.js", file_70, sizeof file_70},
    {"page/outbox.js", file_71, sizeof file_71},
    {"page/people.js", file_72, sizeof file_72},
    {"page/personfiles.js", file_73, sizeof file_73},
    {"page/personphotos.js", file_74, sizeof file_74},
    {"page/photofield.js", file_75, sizeof file_75},
    {"page/photos.css", file_76, sizeof file_76},
    {"page/photos.js", file_77, sizeof file_77},
    {"page/picture.js", file_78, sizeof file_78},
    {"page/pins.js", file_79, sizeof file_79},
    {"page/placefield.js", file_80, sizeof file_80},
    {"page/placeform.js", file_81, sizeof file_81},
    {"page/placerow.js", file_82, sizeof file_82},
    {"page/places.js", file_83, sizeof file_83},
    {"page/post.js", file_84, sizeof file_84},
    {"page/posts.css", file_85, sizeof file_85},
    {"page/posts.js", file_86, sizeof file_86},
    {"page/postsat.js", file_87, sizeof file_87},
    {"page/poststate.js", file_88, sizeof file_88},
    {"page/profile.js", file_89, sizeof file_89},
    {"page/projection.js", file_90, sizeof file_90},
    {"page/redraw.js", file_91, sizeof file_91},
    {"page/rings.js", file_92, sizeof file_92},
    {"page/roomdialogs.js", file_93, sizeof file_93},
    {"page/roompins.js", file_94, sizeof file_94},
    {"page/rooms.js", file_95, sizeof file_95},
    {"page/router.js", file_96, sizeof file_96},
    {"page/rows.js", file_97, sizeof file_97},
    {"page/save.js", file_98, sizeof file_98},
    {"page/sending.js", file_99, sizeof file_99},
    {"page/sheet.js", file_100, sizeof file_100},
    {"page/sight.js", file_101, sizeof file_101},
    {"page/sources.js", file_102, sizeof file_102},
    {"page/speaker.js", file_103, sizeof file_103},
    {"page/store.js", file_104, sizeof file_104},
    {"page/stream.js", file_105, sizeof file_105},
    {"page/talk.css", file_106, sizeof file_106},
    {"page/talkhead.js", file_107, sizeof file_107},
    {"page/talkstate.js", file_108, sizeof file_108},
    {"page/text.js", file_109, sizeof file_109},
    {"page/textfield.js", file_110, sizeof file_110},
    {"page/tiles.js", file_111, sizeof file_111},
    {"page/time.js", file_112, sizeof file_112},
    {"page/typed.js", file_113, sizeof file_113},
    {"page/unlocked.js", file_114, sizeof file_114},
    {"page/unread.js", file_115, sizeof file_115},
    {"page/urgent.js", file_116, sizeof file_116},
    {"page/views.css", file_117, sizeof file_117},
    {"page/views.js", file_118, sizeof file_118},
    {"page/visit.css", file_119, sizeof file_119},
    {"page/visit.js", file_120, sizeof file_120},
    {"page/visitors.js", file_121, sizeof file_121},
    {"page/you.js", file_122, sizeof file_122},
    {"service-worker.js", file_123, sizeof file_123},
    {0, 0, 0},
};
#endif

const lattice_page_file *lattice_page_files_first(void) { return files; }
